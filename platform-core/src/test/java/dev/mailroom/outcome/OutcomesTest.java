package dev.mailroom.outcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.queue.HandOver;
import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class OutcomesTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	private final Scope scope = Given.sender("unlimited");

	@ParameterizedTest
	@CsvSource({ "delivered, delivered delivered", "sent, sent sent", "hard, bounced bounced", "soft, bounced bounced",
			"deferred, pending delivery_delayed", "failed, failed failed", "suppressed, failed suppressed" })
	void anOutcomeIsTheMailsStatusAndItsLastEvent(String outcome, String expected) {
		UUID mail = Given.mail(this.scope, "b@c.test");
		settle(held(mail), outcome(outcome));
		assertThat(status(mail)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "delivered, sent, sent", "delivered, deferred, pending", "sent, deferred, pending",
			"deferred, failed, failed", "failed, hard, bounced", "delivered, suppressed, delivered",
			"suppressed, suppressed, failed", "deferred, suppressed, pending", "delivered, soft, bounced" })
	void withSeveralRecipientsTheMailShowsTheFirstInOrder(String one, String other, String expected) {
		UUID mail = Given.mail(this.scope, "b@c.test", "d@c.test");
		List<Lease> leases = held(mail);
		settle(List.of(leases.get(0)), outcome(one));
		settle(List.of(leases.get(1)), outcome(other));
		assertThat(status(mail)).startsWith(expected + " ");
	}

	@Test
	void recipientsSettledAtOnceByManyComeToTheRightStatus() {
		for (int round = 0; round < 5; round++) {
			UUID mail = Given.mail(this.scope,
					IntStream.range(0, 12).mapToObj((i) -> i + "@c.test").toArray(String[]::new));
			await(Flux.fromIterable(held(mail))
				.flatMap((lease) -> this.outcomes
					.settle(List.of(new Settlement(lease, new Outcome.Delivered("250 ok")))), 12)
				.then());
			assertThat(status(mail)).isEqualTo("delivered delivered");
		}
	}

	@Test
	void aSecondWordOnTheSameDeliveryChangesNothing() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = held(mail);
		settle(leases, new Outcome.Delivered("250 ok"));
		settle(leases, new Outcome.Bounced(true, "550 no"));
		settle(List.of(new Lease(leases.getFirst().delivery(), 7)), new Outcome.Bounced(true, "550 no"));
		assertThat(status(mail)).isEqualTo("delivered delivered");
		assertThat(events(mail)).containsExactly("email.delivered");
	}

	@Test
	void aHardBounceSuppressesTheAddressAndASoftOneDoesNot() {
		settle(held(Given.mail(this.scope, "Gone@c.test")), new Outcome.Bounced(true, "550 5.1.1 no such user"));
		settle(held(Given.mail(this.scope, "full@c.test")), new Outcome.Bounced(false, "552 5.2.2 full"));
		assertThat(Given.rows("select address || ' ' || reason from suppression where account_id = '%s'",
				this.scope.account()))
			.containsExactly("gone@c.test hard_bounce");
	}

	@Test
	void whatIsSettledIsCountedOnceInItsDomainsReputation() {
		List<Lease> taken = held(Given.mail(this.scope, "b@c.test", "d@c.test"));
		settle(taken, new Outcome.Delivered("250 ok"));
		settle(taken, new Outcome.Delivered("250 ok"));
		settle(held(Given.mail(this.scope, "gone@c.test")), new Outcome.Bounced(true, "550 5.1.1 no such user"));
		settle(held(Given.mail(this.scope, "full@c.test")), new Outcome.Bounced(false, "552 5.2.2 full"));
		settle(held(Given.mail(this.scope, "e@c.test")), new Outcome.Sent("250 queued"));
		assertThat(Given.rows("select concat_ws(' ', domain_id, delivered, sent, hard_bounced, complained) "
				+ "from reputation_day where account_id = '%s'", this.scope.account()))
			.containsExactly(this.scope.domain() + " 2 1 1 0");
		assertThat(Given.rows("select cause from reputation_cause where account_id = '%s'", this.scope.account()))
			.containsExactly("5.1.1");
	}

	@Test
	void aDeferralIsTriedAgainLaterToldOnceAndInTheEndExpires() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		for (int attempt = 1; attempt <= 15; attempt++) {
			settle(held(mail), new Outcome.Deferred("451 later"));
			assertThat(rows("select phase || ' ' || attempt from delivery where email_id = '%s'", mail))
				.containsExactly("queued " + attempt);
			assertThat(rows("select (due_at <= now() + interval '8 hours')::text from delivery where email_id = '%s'",
					mail))
				.containsExactly("true");
		}
		settle(held(mail), new Outcome.Deferred("451 later"));
		assertThat(status(mail)).isEqualTo("failed expired");
		assertThat(events(mail)).containsExactly("email.delivery_delayed", "email.failed");
		assertThat(rows("select data - 'recipient' from event where email_id = '%s' order by id", mail))
			.containsExactly("{}", "{\"failed\": {\"reason\": \"expired\", \"diagnostic\": \"451 later\"}}");
	}

	@Test
	void campaignsAreTriedLessOftenAndLonger() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update delivery set stream = 'campaign' where email_id = '%s'", mail);
		for (int attempt = 1; attempt <= 35; attempt++) {
			settle(held(mail), new Outcome.Deferred("451 later"));
		}
		assertThat(rows(
				"select phase || ' ' || (due_at > now() + interval '4 hours') from delivery " + "where email_id = '%s'",
				mail))
			.containsExactly("queued false");
		settle(held(mail), new Outcome.Deferred("451 later"));
		assertThat(status(mail)).isEqualTo("failed expired");
	}

	@Test
	void aBounceTellsWhatIsAtFaultAndOnlyAHardOneSuppresses() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		settle(held(mail), new Outcome.Bounced(Bounce.Type.BLOCK, "554 5.7.1 listed by spamhaus"));
		assertThat(rows("select (data ->> 'recipient') || (data -> 'bounce')::text from event where email_id = '%s'",
				mail))
			.containsExactly("b@c.test{\"code\": \"5.7.1\", \"type\": \"block\", "
					+ "\"diagnostic\": \"554 5.7.1 listed by spamhaus\"}");
		assertThat(rows("select address from suppression where account_id = '%s'", this.scope.account())).isEmpty();
	}

	@Test
	void aSessionThatCouldNotBeOpenedCostsAnAttemptOnlyWhereOneWasTried() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		settle(leased(mail), new Outcome.Unopened("breaker open", false));
		assertThat(rows("select phase || ' ' || attempt from delivery where email_id = '%s'", mail))
			.containsExactly("queued 0");
		settle(leased(mail), new Outcome.Unopened("connection refused", true));
		assertThat(rows("select phase || ' ' || attempt || ' ' || reply from delivery where email_id = '%s'", mail))
			.containsExactly("queued 1 connection refused");
	}

	private static Outcome outcome(String name) {
		return switch (name) {
			case "delivered" -> new Outcome.Delivered("250 ok");
			case "sent" -> new Outcome.Sent("250 ok");
			case "hard" -> new Outcome.Bounced(true, "550 5.1.1 no");
			case "soft" -> new Outcome.Bounced(false, "552 5.2.2 full");
			case "deferred" -> new Outcome.Deferred("451 later");
			case "suppressed" -> new Outcome.Suppressed();
			default -> new Outcome.Failed("unrenderable");
		};
	}

	/** Leases what the mail still has to do, whenever it is due. */
	private List<Lease> leased(UUID mail) {
		Given.run("update delivery set due_at = now() - interval '1 second' where email_id = '%s'", mail);
		List<String> own = rows("select id from delivery where email_id = '%s'", mail);
		return await(this.queue.lease(10_000, 10_000, Queue.Turn.START)).leases()
			.stream()
			.filter((lease) -> own.contains(lease.delivery().toString()))
			.toList();
	}

	private List<Lease> held(UUID mail) {
		return await(pass(leased(mail))).stream().map(HandOver::lease).toList();
	}

	private void settle(List<Lease> leases, Outcome outcome) {
		assertThat(leases).isNotEmpty();
		List<Settlement> settlements = new ArrayList<>();
		leases.forEach((lease) -> settlements.add(new Settlement(lease, outcome)));
		await(this.outcomes.settle(settlements));
	}

	private static String status(UUID mail) {
		return rows("select status || ' ' || last_event from email where id = '%s'", mail).getFirst();
	}

	private static List<String> events(UUID mail) {
		return rows("select kind from event where email_id = '%s' order by id", mail);
	}

	private static List<String> rows(String sql, Object... arguments) {
		return Given.rows(sql, arguments);
	}

	@Test
	void aServersLastWordCountsAlsoWhereTheLeaseRanOutMeanwhile() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = held(mail);
		Given.run("update delivery set lease_until = now() - interval '1 second' where email_id = '%s'", mail);
		await(this.queue.recover());
		settle(leases, new Outcome.Deferred("451 later"));
		assertThat(rows("select phase from delivery where email_id = '%s'", mail)).containsExactly("queued");
		settle(leases, new Outcome.Delivered("250 ok"));
		assertThat(status(mail)).isEqualTo("delivered delivered");
	}

	@Test
	void whatWasNotBegunCostsNoAttemptAndControlCharactersAreNotKept() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		settle(held(mail), new Outcome.Unopened("the session\0ended", false));
		assertThat(rows("select phase || ' ' || attempt || ' ' || reply from delivery where email_id = '%s'", mail))
			.containsExactly("queued 0 the session ended");
	}

	@Test
	void aMailThatIsNeverAnsweredIsNotSentForever() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update delivery set ambiguous = 3, attempt = 6, created_at = now() - interval '5 days' "
				+ "where email_id = '%s'", mail);
		assertThat(held(mail)).isEmpty();
		assertThat(status(mail)).isEqualTo("failed expired");
	}

	@Test
	void whatIsNeverAnsweredIsSentNoSoonerAndNoOftenerThanWhatIsPutOff() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		for (int attempt = 1; attempt <= 16; attempt++) {
			assertThat(held(mail)).as("attempt " + attempt).hasSize(1);
			Given.run("update delivery set lease_until = now() - interval '1 second' where email_id = '%s'", mail);
			await(this.queue.recover());
			assertThat(rows("select (due_at > now())::text from delivery where email_id = '%s'", mail))
				.containsExactly(Boolean.toString(attempt > 1));
		}
		assertThat(held(mail)).isEmpty();
		assertThat(status(mail)).isEqualTo("failed expired");
	}

	@Test
	void howeverLongAMailWasHeldUpItIsTriedAFewTimes() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update delivery set created_at = now() - interval '10 days' where email_id = '%s'", mail);
		settle(leased(mail), new Outcome.Unopened("all are in use", false));
		for (int attempt = 1; attempt < 6; attempt++) {
			settle(held(mail), new Outcome.Deferred("451 4.7.1 greylisted"));
			assertThat(status(mail)).isEqualTo("pending delivery_delayed");
		}
		settle(held(mail), new Outcome.Deferred("451 4.7.1 greylisted"));
		assertThat(status(mail)).isEqualTo("failed expired");
	}

	private Mono<List<HandOver>> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
