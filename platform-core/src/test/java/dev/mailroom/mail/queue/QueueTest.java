package dev.mailroom.mail.queue;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class QueueTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	Transitions transitions;

	@Autowired
	Transactions transactions;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void settleOtherAccounts() {
		Given.emptyQueueExceptFor(this.scope.account());
	}

	@Test
	void aDueDeliveryIsLeasedOnceAndALaterOneIsNot() {
		UUID due = Given.mail(this.scope, "b@c.test", "d@c.test");
		UUID later = Given.mail(this.scope, "e@c.test");
		Given.due(later, "1 hour");
		assertThat(lease(100, 100)).hasSize(2);
		assertThat(lease(100, 100)).isEmpty();
		assertThat(phases(due)).containsExactly("leased", "leased");
		assertThat(phases(later)).containsExactly("queued");
	}

	/** Such mail was accepted after the transaction of the lease had begun. */
	@Test
	void aReadyDeliveryThatIsDueInAMomentHasNoLateness() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update queue set due_at = now() + interval '1 minute' where email_id = '%s'", mail);
		List<Transitions.LeasedRow> rows = await(
				this.transactions.byIndex(this.transitions.lease(10, 10, Queue.Turn.START).collectList()));
		assertThat(Lease.Lateness.of(rows))
			.containsExactly(new Lease.Lateness("transactional", List.of(Duration.ZERO)));
	}

	@Test
	void theRouteHasTheTransportOfTheDomainOrElseOfTheAccount() {
		Given.mail(this.scope, "b@C.test");
		assertThat(route()).isEqualTo(new Route(this.scope.account(), "c.test", null, false));
		Given.run("update account set transport = 'relay' where id = '%s'", this.scope.account());
		Given.mail(this.scope, "b@c.test");
		assertThat(route().transport()).isEqualTo(TransportKind.RELAY);
		Given.run("update domain set transport = 'mx', require_tls = true where id = '%s'", this.scope.domain());
		Given.mail(this.scope, "b@c.test");
		assertThat(route()).isEqualTo(new Route(this.scope.account(), "c.test", TransportKind.MX, true));
	}

	@Test
	void aPostponedDeliveryIsDueLaterWithoutAnEvent() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		this.queue.returnToQueue(lease(100, 100), Duration.ofSeconds(60));
		assertThat(phases(mail)).containsExactly("queued");
		assertThat(lease(100, 100)).isEmpty();
		assertThat(Given.rows("select attempt from delivery where email_id = '%s' and reply is null", mail))
			.containsExactly("0");
	}

	@Test
	void aDeliveryThatReturnsWithoutADelayKeepsItsPlace() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<String> place = Given.rows("select ready || ' ' || due_at from queue where email_id = '%s'", mail);
		this.queue.returnToQueue(lease(100, 100), Duration.ZERO);
		assertThat(Given.rows("select ready || ' ' || due_at from queue where email_id = '%s'", mail)).isEqualTo(place);
		assertThat(lease(100, 100)).hasSize(1);
	}

	/**
	 * The change commits before the lease, whose statement had read the row already, so
	 * that neither sees the other.
	 */
	@Test
	void aDeliveryThatWasRescheduledWhileItWasLeasedKeepsItsNewTime() {
		UUID returned = Given.mail(this.scope, "b@c.test");
		List<Lease> first = lease(100, 100);
		UUID unopened = Given.mail(this.scope, "d@c.test");
		List<Lease> second = lease(100, 100);
		Instant later = Instant.now().plus(7, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
		reschedule(returned, later);
		reschedule(unopened, later);
		this.queue.returnToQueue(first, Duration.ofSeconds(1));
		this.outcomes.settle(settlements(second, new Outcome.Unopened("No session", true)));
		assertThat(Given.rows(
				"select ready || ' ' || extract(epoch from due_at)::bigint from queue where email_id in ('%s', '%s')",
				returned, unopened))
			.hasSize(2)
			.containsOnly("false " + later.getEpochSecond());
	}

	@Test
	void concurrentCallsLeaseEachDeliveryOnce() {
		IntStream.range(0, 50).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		List<Lease> leases = await(Flux.range(0, 8)
			.flatMap((i) -> this.queue.lease(1000, 1000, Queue.Turn.START), 8)
			.flatMapIterable(Queue.Turn::leases)
			.collectList());
		assertThat(leases).hasSize(50).doesNotHaveDuplicates();
	}

	@Test
	void mailOfAPausedAccountStaysQueued() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = lease(10, 10);
		Given.run("update account set paused_reason = 'risky' where id = '%s'", this.scope.account());
		assertThat(pass(leases)).isEmpty();
		this.queue.returnToQueue(leases, Duration.ZERO);
		assertThat(lease(10, 10)).isEmpty();
		assertThat(phases(mail)).containsExactly("queued");
	}

	@Test
	void anExpiredLeaseIsRecoveredAndAHandOverCountsAsAmbiguous() {
		UUID leased = Given.mail(this.scope, "b@c.test");
		List<Lease> first = lease(10, 10);
		UUID inData = Given.mail(this.scope, "d@c.test");
		pass(lease(10, 10));
		assertThat(this.queue.recover()).isZero();
		Given.expired(leased);
		Given.expired(inData);
		assertThat(pass(first)).as("an expired lease passes no fence").isEmpty();
		assertThat(this.queue.recover()).isEqualTo(2);
		assertThat(Given.rows(
				"select phase || ' ' || ambiguous from delivery_state where email_id in ('%s', '%s') order by ambiguous",
				leased, inData))
			.containsExactly("queued 0", "queued 1");
		assertThat(lease(10, 10)).hasSize(2);
	}

	@Test
	void aLeaseOfACancelledMailIsVoidAndRemoved() {
		Given.mail(this.scope, "b@c.test");
		List<Lease> leases = lease(10, 10);
		Given.run("delete from queue where account_id = '%s'", this.scope.account());
		assertThat(pass(leases)).isEmpty();
		Given.run("update lease set until = now() - interval '1 second' where account_id = '%s'", this.scope.account());
		this.queue.recover();
		assertThat(Given.rows("select id from lease where account_id = '%s'", this.scope.account())).isEmpty();
	}

	@Test
	void aMailRescheduledAfterItsLeaseIsNotHandedOverAndLosesItsLease() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = lease(10, 10);
		Given.due(mail, "1 hour");
		assertThat(pass(leases)).isEmpty();
		assertThat(phases(mail)).containsExactly("queued");
		assertThat(Given.rows("select held is null and not ready and due_at > now() from queue where email_id = '%s'",
				mail))
			.containsExactly("t");
	}

	private List<Lease> lease(int window, int share) {
		return await(this.queue.lease(window, share, Queue.Turn.START)).leases();
	}

	private void reschedule(UUID mail, Instant time) {
		await(this.transactions.in(this.scope, this.transitions.reschedule(this.scope, mail, time)));
	}

	private static List<Settlement> settlements(List<Lease> leases, Outcome outcome) {
		List<Settlement> settlements = new ArrayList<>();
		leases.forEach((lease) -> settlements.add(new Settlement(lease, outcome)));
		return settlements;
	}

	private Route route() {
		List<Lease> leases = lease(100, 100);
		assertThat(leases).hasSize(1);
		this.outcomes.settle(settlements(leases, new Outcome.Delivered("250 ok")));
		return leases.getFirst().route();
	}

	private static List<String> phases(UUID mail) {
		return Given.rows("select phase from delivery_state where email_id = '%s' order by position", mail);
	}

	private List<HandOver> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
