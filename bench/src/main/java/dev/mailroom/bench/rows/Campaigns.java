package dev.mailroom.bench.rows;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import dev.mailroom.Await;
import dev.mailroom.bench.CampaignOwner;
import dev.mailroom.bench.Heap;
import dev.mailroom.bench.Meter;
import dev.mailroom.bench.Sample;
import dev.mailroom.bench.Stack;
import dev.mailroom.bench.report.Figure;

/**
 * Campaigns: the fan-out alone (G9), delivery and the time to the first mail (G10), and
 * the heap of the worker (G11).
 */
final class Campaigns implements Section {

	private static final Duration TIMEOUT = Duration.ofMinutes(10);

	private static final Duration INTERVAL = Duration.ofMillis(2);

	/** Contacts of the small campaign, which is delivered. */
	private static final int SMALL = Size.QUICK ? 2_000 : 10_000;

	/** Contacts of the campaign that is fanned out without delivery. */
	private static final int FANNED_OUT = Size.QUICK ? 10_000 : 50_000;

	private static final Duration BETWEEN_HEAPS = Duration.ofMillis(500);

	/** Reads of the heap while the large campaign runs. */
	private static final int HEAPS = Size.QUICK ? 4 : 10;

	/**
	 * Keeps the mails of campaigns from becoming due, so that the fan-out never waits.
	 */
	private static final String HOLD = """
			create or replace function hold_back() returns trigger language plpgsql as $$
			begin
			    new.ready := false;
			    new.due_at := now() + interval '1 day';
			    return new;
			end $$;
			create trigger hold_back before insert on queue for each row when (new.campaign_id is not null)
			    execute function hold_back()
			""";

	private static final String NARROW = """
			truncate narrow;
			insert into narrow select '%s', id, account_id, email_key from contact where contact_book_id = '%s'
			""";

	/** Delivers a small campaign. */
	private Action warming = (_) -> {
	};

	@Override
	public void warmUp() throws Exception {
		this.warming.run(Recording.NONE);
	}

	@Override
	public Set<Figure> figures() {
		return EnumSet.of(Figure.NARROW, Figure.FAN_OUT, Figure.CAMPAIGN_MAILS, Figure.CAMPAIGN, Figure.FIRST_MAIL,
				Figure.HEAP_SMALL, Figure.HEAP_LARGE);
	}

	@Override
	public List<Step> prepare(Stack stack, Set<Figure> wanted) throws Exception {
		CampaignOwner owner = new CampaignOwner(stack, "campaigns.test");
		String small = owner.book(SMALL);
		String middle = owner.book(FANNED_OUT);
		String large = (wanted.contains(Figure.FIRST_MAIL) || wanted.contains(Figure.HEAP_LARGE))
				? owner.book(Size.CONTACTS) : "";
		stack.database()
			.run(Stack.PRODUCT, "create table narrow (campaign_id uuid not null, contact_id uuid not null, "
					+ "account_id uuid not null, recipient text not null, primary key (campaign_id, contact_id))");
		this.warming = (_) -> deliver(stack, owner, small);
		return List.of(Step.of((out) -> out.add(Figure.NARROW, narrow(stack, middle)), Figure.NARROW),
				Step.of((out) -> fanOut(stack, owner, middle, out), Figure.FAN_OUT, Figure.CAMPAIGN_MAILS),
				Step.of((out) -> out.add(Figure.CAMPAIGN, deliver(stack, owner, small)), Figure.CAMPAIGN),
				Step.of((out) -> out.add(Figure.FIRST_MAIL, firstMail(stack, owner, large)), Figure.FIRST_MAIL),
				Step.of((out) -> heaps(stack, owner, small, large, out), Figure.HEAP_SMALL, Figure.HEAP_LARGE)
					.inRounds(1));
	}

	private static Sample narrow(Stack stack, String book) throws Exception {
		Meter meter = new Meter(stack.database(), Map.of());
		Meter.Reading before = meter.read();
		long start = System.nanoTime();
		stack.database().run(Stack.PRODUCT, NARROW.formatted(book, book));
		return meter.since(before, FANNED_OUT, System.nanoTime() - start);
	}

	/**
	 * Measures the selection of the contacts and the mails that are made of them
	 * meanwhile and afterwards, from the first ones, because the loop looks for new
	 * campaigns at times.
	 */
	private static void fanOut(Stack stack, CampaignOwner owner, String book, Recorder out) throws Exception {
		String campaign = owner.draft(book);
		String column = "(select %s from campaign where id = '" + campaign + "')";
		stack.database().run(Stack.PRODUCT, HOLD);
		try {
			owner.start(campaign);
			stack.await(column.formatted("selected") + " > 0");
			Meter meter = stack.meter();
			Meter.Reading before = meter.read();
			long start = System.nanoTime();
			long selected = stack.number("select " + column.formatted("selected"));
			long made = stack.number("select " + column.formatted("handled"));
			stack.await(column.formatted("selected_at is not null"));
			out.add(Figure.FAN_OUT, meter.since(before, FANNED_OUT - selected, System.nanoTime() - start));
			stack.await(column.formatted("fanned_out_at is not null"));
			out.add(Figure.CAMPAIGN_MAILS, meter.since(before, FANNED_OUT - made, System.nanoTime() - start));
		}
		finally {
			stack.database().run(Stack.PRODUCT, "drop trigger hold_back on queue");
			owner.remove(campaign);
		}
	}

	/** Measures from the first mail at the sink to the settlement of the last one. */
	private static Sample deliver(Stack stack, CampaignOwner owner, String book) throws Exception {
		long before = stack.sink().accepted();
		Meter meter = stack.meter();
		Meter.Reading reading = meter.read();
		owner.start(owner.draft(book));
		Await.until("the first mail arrives", TIMEOUT, INTERVAL, () -> stack.sink().accepted() > before);
		long start = System.nanoTime();
		long first = stack.sink().accepted() - before;
		Await.until("all mails arrive", TIMEOUT, INTERVAL, () -> stack.sink().accepted() >= before + SMALL);
		stack.awaitSettled(owner.tenant());
		return meter.since(reading, SMALL - first, System.nanoTime() - start);
	}

	/** Seconds from the start of a campaign to its first mail at the sink. */
	private static double firstMail(Stack stack, CampaignOwner owner, String book) throws Exception {
		String campaign = owner.draft(book);
		long before = stack.sink().accepted();
		long start = owner.start(campaign);
		Await.until("the first mail arrives", TIMEOUT, INTERVAL, () -> stack.sink().accepted() > before);
		double seconds = (System.nanoTime() - start) / 1e9;
		owner.abandon(campaign);
		return seconds;
	}

	private static void heaps(Stack stack, CampaignOwner owner, String small, String large, Recorder out)
			throws Exception {
		long pid = stack.worker().pid();
		String campaign = owner.draft(small);
		owner.start(campaign);
		double heap = Heap.liveMegabytes(pid);
		while (!stack.text("select status from campaign where id = '" + campaign + "'").equals("sent")) {
			heap = Math.max(heap, Heap.liveMegabytes(pid));
			LockSupport.parkNanos(BETWEEN_HEAPS.toNanos());
		}
		out.add(Figure.HEAP_SMALL, heap);
		campaign = owner.draft(large);
		owner.start(campaign);
		heap = 0;
		for (int i = 0; i < HEAPS; i++) {
			LockSupport.parkNanos(BETWEEN_HEAPS.toNanos());
			heap = Math.max(heap, Heap.liveMegabytes(pid));
		}
		out.add(Figure.HEAP_LARGE, heap);
		owner.abandon(campaign);
	}

}
