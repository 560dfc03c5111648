package dev.mailroom.mail.outcome;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.LeaseStep;
import dev.mailroom.mail.queue.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Given.rows;
import static dev.mailroom.mail.outcome.WorkerSteps.events;
import static dev.mailroom.mail.outcome.WorkerSteps.status;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class OutcomesTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	Sandbox sandbox;

	@Autowired
	Reputations reputations;

	private WorkerSteps worker;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void createSteps() {
		this.worker = new WorkerSteps(this.queue, this.outcomes);
	}

	@ParameterizedTest
	@CsvSource({ "delivered, delivered delivered", "sent, sent sent", "hard, bounced bounced", "soft, bounced bounced",
			"deferred, pending delivery_delayed", "failed, failed failed", "suppressed, failed suppressed" })
	void anOutcomeSetsStatusAndLastEventOfTheMail(String outcome, String expected) {
		UUID mail = Given.mail(this.scope, "b@c.test");
		this.worker.settle(this.worker.fenced(mail), outcome(outcome));
		assertThat(status(mail)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "delivered, sent, sent", "delivered, deferred, pending", "sent, deferred, pending",
			"deferred, failed, failed", "failed, hard, bounced", "delivered, suppressed, delivered",
			"suppressed, suppressed, failed", "deferred, suppressed, pending", "delivered, soft, bounced" })
	void theStatusOfAMailIsTheMostSevereOfItsRecipients(String first, String second, String expected) {
		UUID mail = Given.mail(this.scope, "b@c.test", "d@c.test");
		List<Lease> leases = this.worker.fenced(mail);
		this.worker.settle(List.of(leases.get(0)), outcome(first));
		this.worker.settle(List.of(leases.get(1)), outcome(second));
		assertThat(status(mail)).startsWith(expected + " ");
	}

	@Test
	void theStatusOfAMailIsThatOfItsHiddenRecipientsToo() {
		UUID mail = Given.mail(this.scope, "b@c.test", "d@c.test");
		Given.run("update email set to_emails = '{b@c.test}', bcc = '{d@c.test}' where id = '%s'", mail);
		List<Lease> leases = this.worker.fenced(mail);
		this.worker.settle(List.of(leases.get(0)), outcome("hard"));
		this.worker.settle(List.of(leases.get(1)), outcome("delivered"));
		assertThat(status(mail)).isEqualTo("bounced delivered");
	}

	@Test
	void concurrentSettlementsYieldTheCorrectStatus() {
		for (int round = 0; round < 5; round++) {
			UUID mail = Given.mail(this.scope,
					IntStream.range(0, 12).mapToObj((i) -> i + "@c.test").toArray(String[]::new));
			List<Lease> leases = this.worker.fenced(mail);
			Await.together(leases.size(), (i) -> {
				this.outcomes.settle(List.of(new Settlement(leases.get(i), new Outcome.Delivered("250 ok"))));
				return i;
			});
			assertThat(status(mail)).isEqualTo("delivered delivered");
		}
	}

	@Test
	void reactionsOfTheSandboxAreRecordedAfterTheSettlement() {
		for (String local : List.of("opened", "clicked+x")) {
			UUID mail = Given.mail(this.scope, local + "@simulator.mailroom.localhost");
			this.worker.settle(this.worker.fenced(mail), new Outcome.Delivered("250 ok"));
		}
		String counts = "select open_count || ' ' || click_count from email where account_id = '%s' order by 1";
		assertThat(rows(counts, this.scope.account())).containsExactly("0 0", "0 0");
		this.sandbox.recordReactions();
		assertThat(rows(counts, this.scope.account())).containsExactly("1 0", "1 1");
	}

	@Test
	void aSecondSettlementChangesNothing() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = this.worker.fenced(mail);
		this.worker.settle(leases, new Outcome.Delivered("250 ok"));
		this.worker.settle(leases, new Outcome.Bounced(Bounce.Reason.UNKNOWN_ADDRESS, "550 no"));
		this.worker.settle(List.of(new Lease(leases.getFirst().delivery(), 7)),
				new Outcome.Bounced(Bounce.Reason.UNKNOWN_ADDRESS, "550 no"));
		assertThat(status(mail)).isEqualTo("delivered delivered");
		assertThat(events(mail)).containsExactly("email.delivered");
	}

	@Test
	void onlyAHardBounceSuppressesTheAddress() {
		this.worker.settle(this.worker.fenced(Given.mail(this.scope, "Gone@c.test")),
				new Outcome.Bounced(Bounce.Reason.UNKNOWN_ADDRESS, "550 5.1.1 no such user"));
		this.worker.settle(this.worker.fenced(Given.mail(this.scope, "full@c.test")),
				new Outcome.Bounced(Bounce.Reason.MAILBOX_FULL, "552 5.2.2 full"));
		assertThat(
				rows("select address || ' ' || reason from suppression where account_id = '%s'", this.scope.account()))
			.containsExactly("gone@c.test hard_bounce");
	}

	@Test
	void aRefusalWithoutAReasonSuppressesTheAddressIfItIsRepeatedOnAnotherDay() {
		refuseUnexplained("Bare@c.test");
		assertThat(refuseUnexplained("bare@c.test")).containsExactly("soft unexplained");
		assertThat(rows("select address from suppression where account_id = '%s'", this.scope.account())).isEmpty();
		Given.run("update unexplained_refusal set day = day - 31 where account_id = '%s'", this.scope.account());
		assertThat(refuseUnexplained("bare@c.test")).containsExactly("soft unexplained");
		Given.run("update unexplained_refusal set day = day - 1 where account_id = '%s'", this.scope.account());
		assertThat(refuseUnexplained("bare@c.test")).containsExactly("hard refused_again");
		assertThat(
				rows("select address || ' ' || reason from suppression where account_id = '%s'", this.scope.account()))
			.containsExactly("bare@c.test hard_bounce");
		assertThat(rows("select hard_bounced from reputation_day where account_id = '%s'", this.scope.account()))
			.containsExactly("1");
	}

	private List<String> refuseUnexplained(String address) {
		UUID mail = Given.mail(this.scope, address);
		this.worker.settle(this.worker.fenced(mail), new Outcome.Bounced(Bounce.Reason.UNEXPLAINED, "550 no"));
		return rows("select concat_ws(' ', data -> 'bounce' ->> 'type', data -> 'bounce' ->> 'reason') from event "
				+ "where email_id = '%s'", mail);
	}

	@Test
	void aSettlementIsCountedOnceInTheReputationOfTheDomain() {
		List<Lease> delivered = this.worker.fenced(Given.mail(this.scope, "b@c.test", "d@c.test"));
		this.worker.settle(delivered, new Outcome.Delivered("250 ok"));
		this.worker.settle(delivered, new Outcome.Delivered("250 ok"));
		this.worker.settle(this.worker.fenced(Given.mail(this.scope, "gone@c.test")),
				new Outcome.Bounced(Bounce.Reason.UNKNOWN_ADDRESS, "550 5.1.1 no such user"));
		this.worker.settle(this.worker.fenced(Given.mail(this.scope, "full@c.test")),
				new Outcome.Bounced(Bounce.Reason.MAILBOX_FULL, "552 5.2.2 full"));
		this.worker.settle(this.worker.fenced(Given.mail(this.scope, "e@c.test")), new Outcome.Sent("250 queued"));
		assertThat(rows("select concat_ws(' ', domain_id, delivered, sent, hard_bounced, other_bounced, complained) "
				+ "from reputation_day where account_id = '%s'", this.scope.account()))
			.containsExactly(this.scope.domain() + " 2 1 1 1 0");
		assertThat(rows("select cause from reputation_cause where account_id = '%s'", this.scope.account()))
			.containsExactly("5.1.1");
	}

	@Test
	void attemptsAreCountedByTheProviderWhoseServerAnswered() {
		Outcome ok = new Outcome.Delivered("250 ok");
		List<Lease> first = this.worker.fenced(Given.mail(this.scope, "b@c.test"));
		this.outcomes.settle(List.of(attempt(first, ok, "mx", "GMAIL-smtp-in.l.google.com", "TLSv1.3")));
		this.outcomes.settle(List.of(attempt(first, ok, "mx", "gmail-smtp-in.l.google.com", "TLSv1.3")));
		this.outcomes.settle(List.of(attempt("c@c.test", ok, "mx", "alt1.gmail-smtp-in.l.google.com", ""),
				attempt("d@c.test", new Outcome.Deferred("451 4.7.28 rate"), "mx", "x.google.com", "TLSv1.3"),
				attempt("e@c.test", new Outcome.Bounced(Bounce.Reason.BLOCK_LIST, "554 5.7.1 listed"), "mx",
						"mx.c.test", "TLSv1.3"),
				attempt("f@c.test", new Outcome.Bounced(Bounce.Reason.UNKNOWN_ADDRESS, "550 5.1.1 no"), "mx",
						"mx.c.test", "TLSv1.3"),
				attempt("g@c.test", new Outcome.Sent("250 queued"), "relay", "relay.test", ""),
				attempt("h@c.test", new Outcome.Deferred("connect timed out"), "mx", "", ""),
				attempt("delivered@simulator.mailroom.localhost", ok, "simulator", "simulator", "")));
		this.outcomes.recordFeedback(List.of(new FeedbackReport(this.scope.account(), first.getFirst().delivery(),
				new DeliveryReport.Complained("abuse"))));
		assertThat(await(this.reputations.providers(this.scope, new Reputations.Period(null, null, null))))
			.extracting((figures) -> "%s %d %d %d %d %d".formatted(figures.provider(), figures.delivered(),
					figures.unencrypted(), figures.deferred(), figures.blocked(), figures.complained()))
			.containsExactly("gmail 2 1 1 0 1", "other 0 0 0 1 0", "relay 1 0 0 0 0");
	}

	@Test
	void adviceIsGivenForProvidersWithEnoughMailOnly() {
		assertThat(figures(10, 0, 10, 0).advice()).isEmpty();
		assertThat(figures(1000, 0, 0, 0).advice()).isEmpty();
		assertThat(figures(900, 300, 100, 5).advice()).hasSize(3).first().asString().contains("because of the sender");
	}

	private static ProviderFigures figures(long delivered, long deferred, long blocked, long complained) {
		return ProviderFigures.of("gmail",
				List.of(new ProviderFigures.Day(LocalDate.EPOCH, delivered, 0, deferred, blocked, complained)));
	}

	private Settlement attempt(String recipient, Outcome outcome, String transport, String host, String tls) {
		return attempt(this.worker.fenced(Given.mail(this.scope, recipient)), outcome, transport, host, tls);
	}

	private static Settlement attempt(List<Lease> leases, Outcome outcome, String transport, String host, String tls) {
		return new Settlement(leases.getFirst(), outcome, new Settlement.Attempt(Instant.now(), Duration.ofMillis(7),
				transport, host, "192.0.2.1", tls, "", null));
	}

	@Test
	void aBlockIsReportedWithItsTypeAndSuppressesNothing() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		this.worker.settle(this.worker.fenced(mail),
				new Outcome.Bounced(Bounce.Reason.BLOCK_LIST, "554 5.7.1 listed by spamhaus"));
		assertThat(rows("select (data ->> 'recipient') || (data -> 'bounce')::text from event where email_id = '%s'",
				mail))
			.containsExactly("b@c.test{\"code\": \"5.7.1\", \"type\": \"block\", \"reason\": \"block_list\", "
					+ "\"diagnostic\": \"554 5.7.1 listed by spamhaus\"}");
		assertThat(rows("select address from suppression where account_id = '%s'", this.scope.account())).isEmpty();
	}

	@Test
	void aFinalReplyCountsAfterTheLeaseHasExpired() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = this.worker.fenced(mail);
		Given.expired(mail);
		LeaseStep.recover(this.queue);
		this.worker.settle(leases, new Outcome.Deferred("451 later"));
		assertThat(rows("select phase from delivery_state where email_id = '%s'", mail)).containsExactly("queued");
		this.worker.settle(leases, new Outcome.Delivered("250 ok"));
		assertThat(status(mail)).isEqualTo("delivered delivered");
	}

	private static Outcome outcome(String name) {
		return switch (name) {
			case "delivered" -> new Outcome.Delivered("250 ok");
			case "sent" -> new Outcome.Sent("250 ok");
			case "hard" -> new Outcome.Bounced(Bounce.Reason.UNKNOWN_ADDRESS, "550 5.1.1 no");
			case "soft" -> new Outcome.Bounced(Bounce.Reason.MAILBOX_FULL, "552 5.2.2 full");
			case "deferred" -> new Outcome.Deferred("451 later");
			case "suppressed" -> new Outcome.Suppressed();
			default -> new Outcome.Failed("unrenderable");
		};
	}

}
