package dev.mailroom.queue;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.CoreTest;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.outcome.FenceStep;
import dev.mailroom.outcome.Outcome;
import dev.mailroom.outcome.Outcomes;
import dev.mailroom.outcome.Settlement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.r2dbc.core.DatabaseClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@CoreTest
class FencesTest {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@Autowired
	Queue queue;

	@Autowired
	QueueStore store;

	@Autowired
	Outcomes outcomes;

	@Autowired
	QueueSettings settings;

	@Autowired
	RetrySchedule retries;

	@Autowired
	Transactions transactions;

	@Autowired
	DatabaseClient database;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void nothingElseIsQueued() {
		Given.run("update delivery set phase = 'done' where account_id <> '%s'", this.scope.account());
	}

	@Test
	void callersWhoPassTogetherEachGetTheirOwn() {
		IntStream.range(0, 20).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		List<Lease> leases = await(this.queue.lease(100, 100, Queue.Turn.START)).leases();
		List<List<UUID>> passed = await(Flux.fromIterable(leases)
			.flatMapSequential((lease) -> pass(List.of(lease)), 20)
			.map((handOvers) -> handOvers.stream().map((one) -> one.lease().delivery()).toList())
			.collectList());
		assertThat(passed).isEqualTo(leases.stream().map((lease) -> List.of(lease.delivery())).toList());
	}

	@Test
	void aLeaseThatCameTwicePassesOnce() {
		Given.mail(this.scope, "b@c.test");
		Lease lease = await(this.queue.lease(10, 10, Queue.Turn.START)).leases().getFirst();
		List<HandOver> passed = await(Flux.range(0, 4)
			.flatMap((_) -> pass(List.of(lease, lease)), 4)
			.flatMapIterable((it) -> it)
			.collectList());
		assertThat(passed).hasSize(1);
	}

	@Test
	void whatPassesForSomebodyWhoNoLongerWaitsIsPutBackAndCostsNoAttempt() {
		Given.mail(this.scope, "b@c.test");
		List<Lease> leases = await(this.queue.lease(10, 10, Queue.Turn.START)).leases();
		pass(leases).subscribe().dispose();
		await(Mono.defer(() -> Mono.just(row("select phase || ' ' || attempt || ' ' || ambiguous from delivery")))
			.filter("queued 0 0"::equals)
			.repeatWhenEmpty((again) -> again.delayElements(Duration.ofMillis(20))));
	}

	private String row(String select) {
		return Given.rows(select + " where account_id = '%s'", this.scope.account()).getFirst();
	}

	@Test
	void noStatementOfTheQueueReadsItsTableFromEndToEnd() {
		IntStream.range(0, 20).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		Mono<List<Lease>> leased = this.queue.lease(100, 100, Queue.Turn.START).map(Queue.Turn::leases);
		Mono<Void> wholeWay = leased
			.delayUntil((leases) -> this.store.fence(leases, this.settings.dataLease(), this.retries).collectList())
			.flatMap((leases) -> this.outcomes.settle(
					leases.stream().map((lease) -> new Settlement(lease, new Outcome.Delivered("250 ok"))).toList()));
		assertThat(await(this.transactions.byIndex(wholeWay.then(fullReads())))).isZero();
		assertThat(Given.rows("select count(*) from delivery where account_id = '%s' and status = 'delivered'",
				this.scope.account()))
			.containsExactly("20");
	}

	/** In the transaction that asks. */
	private Mono<Long> fullReads() {
		return this.database
			.sql("select sum(seq_scan)::bigint from pg_stat_xact_user_tables where relname in ('delivery', 'email')")
			.mapValue(Long.class)
			.one();
	}

	private Mono<List<HandOver>> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
