package dev.mailroom.bench.rows;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import dev.mailroom.Await;
import dev.mailroom.bench.CampaignOwner;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;

/**
 * Hand-overs that begin after the pause of a campaign has answered, while sessions with a
 * slow server are open (G23).
 */
final class Stops implements Section {

	private static final Duration TIMEOUT = Duration.ofMinutes(2);

	private static final Duration INTERVAL = Duration.ofMillis(5);

	private static final Duration SERVER_TIME = Duration.ofMillis(300);

	private static final int MAILS = 400;

	/** Mails that leave before the pause. */
	private static final int BEFORE = 60;

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.AFTER_PAUSE);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		CampaignOwner owner = new CampaignOwner(stack, "stops.test");
		String book = owner.book(MAILS);
		return List.of(Step.of((out) -> out.add(Figure.AFTER_PAUSE, afterPause(stack, owner, owner.draft(book))),
				Figure.AFTER_PAUSE));
	}

	private static double afterPause(Stack stack, CampaignOwner owner, String campaign) throws Exception {
		long first = stack.sink().accepted();
		stack.sink().delay(SERVER_TIME);
		try {
			owner.start(campaign);
			Await.until("some mails arrive", TIMEOUT, INTERVAL, () -> stack.sink().accepted() >= first + BEFORE);
			owner.pause(campaign);
			long begun = stack.sink().begun();
			stack.await("not exists(select from queue where campaign_id = '%s' and (ready or data_until is not null))"
				.formatted(campaign));
			return stack.sink().begun() - begun;
		}
		finally {
			stack.sink().delay(Duration.ZERO);
			owner.remove(campaign);
		}
	}

}
