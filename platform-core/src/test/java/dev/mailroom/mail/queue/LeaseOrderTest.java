package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/** Order and shares in which deliveries of several accounts are leased. */
@WithCore
@Isolated("others add mail to the queue")
class LeaseOrderTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	JdbcTransactions threads;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void settleOtherAccounts() {
		Given.emptyQueueExceptFor(this.scope.account());
	}

	@Test
	void oneAccountLeasesNoMoreThanItsShareOfTheWindow() {
		Scope quiet = Given.sender("free");
		IntStream.range(0, 30).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		UUID other = Given.mail(quiet, "q@c.test");
		Window window = LeaseStep.window(20, 10);
		List<Lease> leases = lease(window);
		assertThat(leases).hasSize(11);
		assertThat(leases).extracting((lease) -> lease.delivery().toString()).containsAll(deliveries(other));
		assertThat(lease(window)).as("the share counts what is in flight").isEmpty();
		this.outcomes.settle(settlements(leases, new Outcome.Delivered("250 ok")));
		assertThat(lease(window)).hasSize(10);
	}

	@Test
	void anAccountIsServedAgainWhenAQuarterOfItsShareIsFree() {
		IntStream.range(0, 40).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		Window window = LeaseStep.window(100, 20);
		List<Lease> leases = lease(window);
		assertThat(leases).hasSize(20);
		this.outcomes.settle(settlements(leases.subList(0, 4), new Outcome.Delivered("250 ok")));
		assertThat(lease(window)).as("16 of 20 are in flight").isEmpty();
		this.outcomes.settle(settlements(leases.subList(4, 5), new Outcome.Delivered("250 ok")));
		assertThat(lease(window)).hasSize(5);
	}

	@Test
	void aTurnTellsWhetherTheQueueIsEmpty() {
		Given.emptyQueueExceptFor(UUID.randomUUID());
		assertThat(this.queue.next(LeaseStep.window(10, 10)).empty()).isTrue();
		UUID mail = Given.mail(this.scope, "later@c.test");
		Given.run("update queue set ready = false, due_at = now() + interval '1 day' where email_id = '%s'", mail);
		assertThat(this.queue.next(LeaseStep.window(10, 10)).empty()).isFalse();
	}

	@Test
	void theNextTurnStartsBehindTheLastAccount() {
		List<UUID> mails = IntStream.range(0, 3)
			.mapToObj((i) -> Given.sender("free"))
			.flatMap((sender) -> Stream.of(Given.mail(sender, "one@c.test"), Given.mail(sender, "two@c.test")))
			.toList();
		Window window = LeaseStep.window(2, 1);
		List<Lease> first = lease(window);
		assertThat(first).hasSize(2);
		Queue.Turn nothing = this.queue.next(window);
		assertThat(nothing.leases()).isEmpty();
		assertThat(nothing.full()).isTrue();
		this.outcomes.settle(settlements(first.subList(0, 1), new Outcome.Delivered("250 ok")));
		List<Lease> leased = new ArrayList<>(first);
		leased.addAll(lease(window));
		List<String> deliveries = leased.stream().map((lease) -> lease.delivery().toString()).toList();
		assertThat(mails.stream().filter((mail) -> deliveries.containsAll(deliveries(mail))))
			.as("one mail of each account")
			.hasSize(3)
			.extracting((mail) -> mails.indexOf(mail) / 2)
			.doesNotHaveDuplicates();
	}

	@Test
	void aSlowDestinationTakesNoPlacesOfOtherMailOfTheAccount() {
		IntStream.range(0, 200).forEach((i) -> Given.mail(this.scope, i + "@slow.test"));
		Window window = this.queue.window(2000, 100);
		assertThat(lease(window)).as("a destination about which nothing is known").hasSize(16);
		UUID reset = Given.mail(this.scope, "user@fast.test");
		assertThat(lease(window)).extracting((lease) -> lease.delivery().toString())
			.containsExactlyElementsOf(deliveries(reset));
	}

	@Test
	void aClosedDestinationIsLeftOutAndCostsNoRow() {
		List<UUID> closed = IntStream.range(0, 20).mapToObj((i) -> Given.mail(this.scope, i + "@closed.test")).toList();
		Window window = this.queue.window(2000, 100);
		List<Lease> leases = lease(window);
		window.returned(leases.stream().map(Lease::delivery).toList(), Duration.ofMillis(300), true);
		assertThat(lease(window)).isEmpty();
		Await.until("one mail as a trial", () -> lease(window).size() == 1);
		assertThat(
				Given.rows("select distinct attempt || ' ' || ready || ' ' || epoch from queue where account_id = '%s'",
						this.scope.account()))
			.containsExactly("0 true 0");
		assertThat(closed).hasSize(20);
	}

	@Test
	void aDestinationWhoseMailIsClaimedAtOnceGetsMoreAtATime() {
		IntStream.range(0, 100).forEach((i) -> Given.mail(this.scope, i + "@fast.test"));
		Window window = this.queue.window(2000, 100);
		List<Lease> first = lease(window);
		assertThat(first).hasSize(16);
		this.outcomes.settle(settlements(first, new Outcome.Delivered("250 ok")));
		assertThat(lease(window)).hasSize(32);
	}

	@Test
	void destinationsBehindTheRoomOfATurnFollowInTheNext() {
		IntStream.range(0, 30).forEach((i) -> Given.mail(this.scope, "a@" + (100 + i) + ".test"));
		Window window = LeaseStep.window(1000, 10);
		List<String> domains = new ArrayList<>();
		for (int turn = 0; turn < 3; turn++) {
			List<Lease> leases = lease(window);
			assertThat(leases).hasSize(10);
			leases.forEach((lease) -> domains.add(lease.route().domain()));
			this.outcomes.settle(settlements(leases, new Outcome.Delivered("250 ok")));
		}
		assertThat(domains).doesNotHaveDuplicates().isSorted();
	}

	@Test
	void allBusyAccountsAreServedAmongThousands() {
		Given.run("insert into account (id, email, email_key, plan, created_at) select gen_random_uuid(), n, "
				+ "'many-' || n || '-%s', 'free', now() from generate_series(1, 5000) n", UUID.randomUUID());
		Given.run("analyze account");
		List<UUID> busy = IntStream.range(0, 30).mapToObj((i) -> Given.sender("unlimited")).map((sender) -> {
			IntStream.range(0, 12).forEach((i) -> Given.mail(sender, i + "@c.test"));
			return sender.account();
		}).toList();
		Given.run("analyze queue");
		Window window = LeaseStep.window(30, 5);
		for (int turn = 0; turn < 12; turn++) {
			this.queue.compare(window);
			Queue.Turn served = this.queue.next(window);
			this.outcomes.settle(settlements(served.leases(), new Outcome.Delivered("250 ok")));
		}
		for (UUID account : busy) {
			assertThat(Given.rows("select count(*) > 4 from delivery_state where account_id = '%s' and phase = 'done'",
					account))
				.containsExactly("t");
		}
	}

	@Test
	void transactionalMailIsLeasedBeforeCampaignsWhichGetHalfTheShare() {
		List<UUID> campaign = mails(this.scope, 6);
		Given.run("update queue set campaign = true where account_id = '%s'", this.scope.account());
		List<UUID> transactional = mails(this.scope, 2);
		assertThat(lease(LeaseStep.window(3, 8))).extracting((lease) -> lease.delivery().toString())
			.containsAll(transactional.stream().flatMap((mail) -> deliveries(mail).stream()).toList());
		List<String> leased = lease(LeaseStep.window(8, 8)).stream()
			.map((lease) -> lease.delivery().toString())
			.toList();
		assertThat(campaign.stream().filter((mail) -> leased.containsAll(deliveries(mail)))).hasSize(4);
	}

	@Test
	void theShareDependsOnTheWeightOfThePlan() {
		Scope free = Given.sender("free");
		mails(this.scope, 9);
		mails(free, 9);
		Map<UUID, Long> leased = lease(LeaseStep.window(100, 8)).stream()
			.collect(Collectors.groupingBy((lease) -> lease.route().accountId(), Collectors.counting()));
		assertThat(leased).containsOnly(Map.entry(this.scope.account(), 8L), Map.entry(free.account(), 2L));
	}

	@Test
	void aBacklogOfOneAccountDoesNotDelayMailThatBecomesDueLater() {
		later(this.scope, 12_000, "now() - interval '1 hour'");
		Scope quiet = Given.sender("free");
		later(quiet, 1, "now()");
		assertThat(lease(LeaseStep.window(20, 10))).extracting((lease) -> lease.route().accountId())
			.contains(quiet.account());
		assertThat(Given.rows("select id from queue where account_id = '%s' and ready", this.scope.account()))
			.as("a turn marks a limited number")
			.hasSizeBetween(5_000, 5_100);
		Given.run("delete from queue where account_id = '%s'", this.scope.account());
	}

	@Test
	void afterAnHourOfDowntimeEachAccountHasItsShareAndItsOldestMailFirst() {
		Scope other = Given.sender("unlimited");
		Scope small = Given.sender("unlimited");
		later(this.scope, 900, "now() - number * interval '1 second'");
		later(other, 300, "now() - number * interval '10 seconds'");
		later(small, 2, "now() - number * interval '1 minute'");
		for (int turn = 0; turn < 3; turn++) {
			List<Lease> leases = lease(LeaseStep.window(60, 20));
			assertThat(leases).extracting((lease) -> lease.route().accountId())
				.filteredOn(this.scope.account()::equals)
				.hasSize(20);
			assertThat(leases).extracting((lease) -> lease.route().accountId())
				.filteredOn(other.account()::equals)
				.hasSize(20);
			assertThat(leases).hasSize((turn == 0) ? 42 : 40);
			assertThat(Given.rows("select id from (select id, account_id, rank() over (partition by account_id "
					+ "order by due_at) as place from queue) as ranked where place <= 20 and account_id in ('%s', '%s', '%s')",
					this.scope.account(), other.account(), small.account()))
				.containsExactlyInAnyOrderElementsOf(
						leases.stream().map((lease) -> lease.delivery().toString()).toList());
			leases.forEach((lease) -> Given.run("delete from queue where id = '%s'", lease.delivery()));
		}
	}

	@Test
	void accountsWithLaterMailOnlyAreNotVisited() {
		Given.laterMail(5_000);
		Given.mail(this.scope, "b@c.test");
		long scans = cost("pg_stat_get_xact_numscans('queue_ready'::regclass)",
				() -> lease(LeaseStep.window(100, 100)));
		assertThat(scans).isLessThan(50);
		Given.emptyQueueExceptFor(this.scope.account());
	}

	@Test
	void aLongQueueIsNotCountedRowByRow() {
		Given.laterMail(40_000);
		List<Queue.Depth> depths = new ArrayList<>();
		assertThat(cost("pg_stat_get_xact_tuples_returned('queue_later'::regclass)",
				() -> depths.addAll(this.queue.depth())))
			.isLessThan(21_000);
		assertThat(depths).filteredOn((depth) -> depth.phase().equals("scheduled"))
			.singleElement()
			.satisfies((depth) -> assertThat(depth.count()).isBetween(39_000L, 41_000L));
		Given.emptyQueueExceptFor(this.scope.account());
	}

	/** Difference that work, which joins the transaction, makes to a statistic of it. */
	private long cost(String statistic, Runnable work) {
		return this.threads.byIndex((jdbc) -> {
			long before = jdbc.sql("select " + statistic).query(Long.class).single();
			work.run();
			return jdbc.sql("select " + statistic).query(Long.class).single() - before;
		});
	}

	/** Deliveries that are not marked as due yet. */
	private static void later(Scope sender, int count, String dueAt) {
		Given.run("insert into queue (id, account_id, email_id, recipient, destination, ready, due_at) "
				+ "select gen_random_uuid(), '%s', gen_random_uuid(), 'b@c.test', 'c.test', false, %s "
				+ "from generate_series(1, %d) as number", sender.account(), dueAt, count);
	}

	private List<UUID> mails(Scope sender, int count) {
		return IntStream.range(0, count).mapToObj((i) -> Given.mail(sender, i + "@c.test")).toList();
	}

	private List<Lease> lease(Window window) {
		return LeaseStep.lease(this.queue, window);
	}

	private static List<String> deliveries(UUID mail) {
		return Given.rows("select id from delivery where email_id = '%s'", mail);
	}

	private static List<Settlement> settlements(List<Lease> leases, Outcome outcome) {
		List<Settlement> settlements = new ArrayList<>();
		leases.forEach((lease) -> settlements.add(new Settlement(lease, outcome)));
		return settlements;
	}

}
