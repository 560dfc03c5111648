package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class AttemptsTest {

	private static final Instant BEGAN = Instant.parse("2026-11-21T12:00:00Z");

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	Attempts attempts;

	private WorkerSteps worker;

	private final Scope scope = Given.sender("unlimited");

	private final UUID mail = Given.mail(this.scope, "b@c.test");

	@BeforeEach
	void createSteps() {
		this.worker = new WorkerSteps(this.queue, this.outcomes);
	}

	@Test
	void attemptsAreRecordedWithTheirDialogue() {
		settle(this.worker.fenced(this.mail), new Outcome.Deferred("451 4.7.1 later"));
		settle(List.of(), new Outcome.Unopened("No session with mx.c.test: refused", true));
		settle(this.worker.fenced(this.mail), new Outcome.Delivered("250 2.0.0 ok"));
		List<Attempts.Made> made = await(this.attempts.of(this.scope, this.mail));
		assertThat(made).extracting(Attempts.Made::attempt).containsExactly(1, 2, 3);
		assertThat(made).extracting(Attempts.Made::outcome).containsExactly("deferred", "deferred", "delivered");
		assertThat(made).extracting(Attempts.Made::reply)
			.containsExactly("451 4.7.1 later", "No session with mx.c.test: refused", "250 2.0.0 ok");
		Attempts.Made first = made.getFirst();
		assertThat(first.recipient()).isEqualTo("b@c.test");
		assertThat(first.beganAt()).isEqualTo(BEGAN);
		assertThat(first.tookMs()).isEqualTo(1500);
		assertThat(first.conversation()).containsExactly(
				new Attempts.TranscriptLine(0, "server", "220 mx.c.test S: ready"),
				new Attempts.TranscriptLine(12, "client", "EHLO mailroom.test"),
				new Attempts.TranscriptLine(20, "note", "TLS policy dane refused"),
				new Attempts.TranscriptLine(30, "note", "TLS policy mta_sts enforced"),
				new Attempts.TranscriptLine(40, "note", "the connection was lost"));
		assertThat(first.tlsPolicy()).as("the last one decides").isEqualTo("mta_sts");
		assertThat(first.tlsResult()).isEqualTo("enforced");
	}

	@Test
	void theOperatorsRelayAndTheConversationWithItAreHidden() {
		settle(this.worker.fenced(this.mail), new Outcome.Delivered("250 2.0.0 ok"));
		Given.run("update delivery_attempt set transport = 'relay' where email_id = '%s'", this.mail);
		Attempts.Made made = await(this.attempts.of(this.scope, this.mail)).getFirst();
		assertThat(List.of(made.host(), made.address(), String.valueOf(made.reply()))).containsExactly("", "",
				"250 2.0.0 ok");
		assertThat(made.conversation()).isEmpty();
	}

	@Test
	void uncountedAttemptsAndVoidLeasesAreNotRecorded() {
		settle(List.of(), new Outcome.Unopened("it is left alone for a while", false));
		Lease old = fenced(this.mail);
		Given.expired(this.mail);
		LeaseStep.recover(this.queue);
		leased();
		this.outcomes.settle(List.of(new Settlement(old, new Outcome.Deferred("451"), attempt())));
		assertThat(await(this.attempts.of(this.scope, this.mail))).isEmpty();
	}

	@Test
	void aHandOverWithoutAReplyIsRecordedAndSettlesNothing() {
		Lease lost = fenced(this.mail);
		UUID other = Given.mail(this.scope, "d@c.test");
		Lease sound = fenced(other);
		String before = state();
		Settlement unanswered = new Settlement(lost, new Outcome.Unanswered(1), attempt());
		for (int i = 0; i < 2; i++) {
			this.outcomes
				.settle(List.of(unanswered, new Settlement(sound, new Outcome.Delivered("250 ok"), attempt())));
		}
		assertThat(state()).isEqualTo(before).startsWith("in_data pending 1 0 ");
		assertThat(made(other)).containsExactly("1 delivered 250 ok");
		assertThat(made(this.mail)).containsExactly("1 unanswered null");
		assertThat(Given.rows("select kind from event where email_id = '%s'", this.mail)).isEmpty();
		Given.expired(this.mail);
		LeaseStep.recover(this.queue);
		Lease again = fenced(this.mail);
		this.outcomes.settle(List.of(unanswered));
		settle(again, new Outcome.Delivered("250 2.0.0 ok"));
		assertThat(made(this.mail)).containsExactly("1 unanswered null", "2 delivered 250 2.0.0 ok");
		assertThat(state()).startsWith("done delivered 2 1 ");
		assertThat(await(this.attempts.of(Given.sender("free"), this.mail))).isEmpty();
	}

	@Test
	void attemptsAreVisibleToTheirAccountOnly() {
		settle(this.worker.fenced(this.mail), new Outcome.Delivered("250 ok"));
		assertThat(await(this.attempts.of(Given.sender("free"), this.mail))).isEmpty();
		assertThat(await(this.attempts.of(this.scope, this.mail))).hasSize(1);
	}

	/** Settles the fenced delivery, or else a leased one. */
	private void settle(List<Lease> fenced, Outcome outcome) {
		List<Lease> leases = fenced.isEmpty() ? leased() : fenced;
		assertThat(leases).hasSize(1);
		settle(leases.getFirst(), outcome);
	}

	private void settle(Lease lease, Outcome outcome) {
		this.outcomes.settle(List.of(new Settlement(lease, outcome, attempt())));
	}

	private Lease fenced(UUID mail) {
		return this.worker.fenced(mail).getFirst();
	}

	private List<String> made(UUID mail) {
		return await(this.attempts.of(this.scope, mail)).stream()
			.map((made) -> made.attempt() + " " + made.outcome() + " " + made.reply())
			.toList();
	}

	private String state() {
		return Given
			.rows("select concat_ws(' ', phase, status, attempt, ambiguous, epoch, due_at, data_until, settled_at) "
					+ "from delivery_state where email_id = '%s'", this.mail)
			.getFirst();
	}

	private static Settlement.Attempt attempt() {
		String dialogue = """
				0 S: 220 mx.c.test S: ready
				12 C: EHLO mailroom.test
				20 TLS policy dane refused
				30 TLS policy mta_sts enforced
				40 the connection was lost
				""";
		return new Settlement.Attempt(BEGAN, Duration.ofMillis(1500), "mx", "mx.c.test", "192.0.2.1", "", dialogue,
				null);
	}

	private List<Lease> leased() {
		return this.worker.leased(this.mail);
	}

}
