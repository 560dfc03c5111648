package dev.mailroom.mail.outcome;

import java.util.List;

import dev.mailroom.mail.queue.Fenced;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import reactor.core.publisher.Mono;

/** The fence as the worker passes it: deliveries that it bars are settled. */
public final class FenceStep {

	private FenceStep() {
	}

	public static Mono<List<HandOver>> pass(Queue queue, Outcomes outcomes, List<Lease> leases) {
		return queue.fence(leases)
			.delayUntil((fenced) -> outcomes.settleBarred(fenced.barred()))
			.map(Fenced::handOvers);
	}

}
