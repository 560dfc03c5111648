package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Given.rows;
import static dev.mailroom.mail.outcome.WorkerSteps.events;
import static dev.mailroom.mail.outcome.WorkerSteps.status;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class RetriesTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	private WorkerSteps worker;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void createSteps() {
		this.worker = new WorkerSteps(this.queue, this.outcomes);
	}

	@Test
	void aDeferredMailIsReportedOnceAndExpiresAfterTheLastRetry() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		for (int attempt = 1; attempt <= 15; attempt++) {
			this.worker.settle(this.worker.fenced(mail), new Outcome.Deferred("451 later"));
			assertThat(rows("select phase || ' ' || attempt from delivery_state where email_id = '%s'", mail))
				.containsExactly("queued " + attempt);
			assertThat(rows(
					"select (due_at <= now() + interval '8 hours')::text from delivery_state where email_id = '%s'",
					mail))
				.containsExactly("true");
		}
		this.worker.settle(this.worker.fenced(mail), new Outcome.Deferred("451 later"));
		assertThat(status(mail)).isEqualTo("failed expired");
		assertThat(events(mail)).containsExactly("email.delivery_delayed", "email.failed");
		assertThat(rows("select data - 'recipient' from event where email_id = '%s' order by id", mail))
			.containsExactly("{}", "{\"failed\": {\"reason\": \"expired\", \"diagnostic\": \"451 later\"}}");
	}

	@Test
	void aTimeThatTheServerNamedReplacesTheScheduleOfRetries() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		this.worker.settle(this.worker.fenced(mail),
				new Outcome.Deferred("450 greylisted for an hour", Duration.ofHours(1)));
		assertThat(rows("select phase || ' ' || attempt || ' ' || (due_at - now() between interval '59 minutes' and "
				+ "interval '1 hour') from delivery_state where email_id = '%s'", mail))
			.containsExactly("queued 1 true");
	}

	@Test
	void campaignMailIsRetriedForLonger() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update queue set campaign = true where email_id = '%s'", mail);
		for (int attempt = 1; attempt <= 35; attempt++) {
			this.worker.settle(this.worker.fenced(mail), new Outcome.Deferred("451 later"));
		}
		assertThat(rows("select phase || ' ' || (due_at > now() + interval '4 hours') from delivery_state "
				+ "where email_id = '%s'", mail))
			.containsExactly("queued false");
		this.worker.settle(this.worker.fenced(mail), new Outcome.Deferred("451 later"));
		assertThat(status(mail)).isEqualTo("failed expired");
	}

	@Test
	void anUnopenedSessionCountsAsAnAttemptOnlyIfOneWasTried() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		this.worker.settle(this.worker.leased(mail), new Outcome.Unopened("breaker open", false));
		assertThat(rows("select phase || ' ' || attempt from delivery_state where email_id = '%s'", mail))
			.containsExactly("queued 0");
		this.worker.settle(this.worker.leased(mail), new Outcome.Unopened("connection refused", true));
		assertThat(
				rows("select phase || ' ' || attempt || ' ' || reply from delivery_state where email_id = '%s'", mail))
			.containsExactly("queued 1 connection refused");
	}

	@Test
	void aHandOverNotBegunIsNotCountedAndRepliesAreCleaned() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		this.worker.settle(this.worker.fenced(mail), new Outcome.Unopened("the session ended", false));
		assertThat(rows("select phase || ' ' || attempt from delivery_state where email_id = '%s'", mail))
			.containsExactly("queued 0");
		assertThat(events(mail)).as("the mail only waited for its turn").isEmpty();
		assertThat(status(mail)).isEqualTo("pending queued");
		this.worker.settle(this.worker.fenced(mail), new Outcome.Deferred("451 later\0\r"));
		assertThat(rows("select reply from delivery where email_id = '%s'", mail)).containsExactly("451 later  ");
		assertThat(events(mail)).containsExactly("email.delivery_delayed");
	}

	@Test
	void aMailWithoutAnyReplyExpires() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update queue set ambiguous = 3, attempt = 6 where email_id = '%s'", mail);
		Given.run("update email set created_at = now() - interval '5 days' where id = '%s'", mail);
		assertThat(this.worker.fenced(mail)).isEmpty();
		assertThat(status(mail)).isEqualTo("failed expired");
	}

	@Test
	void handOversWithoutAReplyFollowTheRetrySchedule() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		for (int attempt = 1; attempt <= 16; attempt++) {
			assertThat(this.worker.fenced(mail)).as("attempt " + attempt).hasSize(1);
			Given.expired(mail);
			LeaseStep.recover(this.queue);
			assertThat(rows("select (due_at > now())::text from delivery_state where email_id = '%s'", mail))
				.containsExactly(Boolean.toString(attempt > 1));
		}
		assertThat(this.worker.fenced(mail)).isEmpty();
		assertThat(status(mail)).isEqualTo("failed expired");
	}

	@Test
	void anOldMailIsTriedAMinimumNumberOfTimes() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update email set created_at = now() - interval '10 days' where id = '%s'", mail);
		this.worker.settle(this.worker.leased(mail), new Outcome.Unopened("all are in use", false));
		for (int attempt = 1; attempt < 6; attempt++) {
			this.worker.settle(this.worker.fenced(mail), new Outcome.Deferred("451 4.7.1 greylisted"));
			assertThat(status(mail)).isEqualTo("pending delivery_delayed");
		}
		this.worker.settle(this.worker.fenced(mail), new Outcome.Deferred("451 4.7.1 greylisted"));
		assertThat(status(mail)).isEqualTo("failed expired");
	}

}
