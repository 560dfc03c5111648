package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** The steps of a worker: lease, fence and settlement. */
record WorkerSteps(Queue queue, Outcomes outcomes) {

	/** Leases the unsettled deliveries of a mail, whether they are due or not. */
	List<Lease> leased(UUID mail) {
		Given.due(mail, "-1 second");
		List<String> own = Given.rows("select id from delivery where email_id = '%s'", mail);
		return LeaseStep.lease(this.queue)
			.stream()
			.filter((lease) -> own.contains(lease.delivery().toString()))
			.toList();
	}

	/** Leases the deliveries of a mail and returns those that the fence passes. */
	List<Lease> fenced(UUID mail) {
		return FenceStep.pass(this.queue, this.outcomes, leased(mail)).stream().map(HandOver::lease).toList();
	}

	void settle(List<Lease> leases, Outcome outcome) {
		assertThat(leases).isNotEmpty();
		this.outcomes.settle(leases.stream().map((lease) -> new Settlement(lease, outcome)).toList());
	}

	/** Status and last event of a mail. */
	static String status(UUID mail) {
		return Given.rows("select status || ' ' || last_event from email where id = '%s'", mail).getFirst();
	}

	/** The kinds of a mail's events in order. */
	static List<String> events(UUID mail) {
		return Given.rows("select kind from event where email_id = '%s' order by id", mail);
	}

}
