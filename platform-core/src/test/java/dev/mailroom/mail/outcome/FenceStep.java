package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.util.List;

import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;

/** The fence as the worker passes it: deliveries that it bars are settled. */
public final class FenceStep {

	public static final Duration LIMIT = Duration.ofSeconds(60);

	private FenceStep() {
	}

	public static List<HandOver> pass(Queue queue, Outcomes outcomes, List<Lease> leases) {
		Fenced fenced = queue.fence(leases, LIMIT);
		outcomes.settleBarred(fenced.barred());
		return fenced.handOvers();
	}

}
