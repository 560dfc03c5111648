package dev.mailroom.mail.queue;

import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.secret.SealedText;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@WithCore
class FencesTest {

	@Autowired
	Queue queue;

	@Autowired
	Transitions transitions;

	@Autowired
	Outcomes outcomes;

	@Autowired
	QueueSettings settings;

	@Autowired
	MailStore mails;

	@Autowired
	ContentFetcher contents;

	@Autowired
	SealedText sealed;

	@Autowired
	JdbcTransactions transactions;

	private final Scope scope = Given.sender("unlimited");

	@BeforeEach
	void settleOtherAccounts() {
		Given.emptyQueueExceptFor(this.scope.account());
	}

	@Test
	void concurrentCallersEachReceiveTheirOwnDeliveries() {
		IntStream.range(0, 20).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		List<Lease> leases = LeaseStep.lease(this.queue);
		List<List<UUID>> passed = Await.together(leases.size(),
				(i) -> pass(List.of(leases.get(i))).stream().map((one) -> one.lease().delivery()).toList());
		assertThat(passed).isEqualTo(leases.stream().map((lease) -> List.of(lease.delivery())).toList());
	}

	@Test
	void aLeaseRequestedTwicePassesOnce() {
		Given.mail(this.scope, "b@c.test");
		Lease lease = lease().getFirst();
		assertThat(Await.together(4, (_) -> pass(List.of(lease, lease))).stream().flatMap(List::stream)).hasSize(1);
	}

	@Test
	void aRowLockStopsOnlyTheCallersThatNeedTheRow() throws Exception {
		UUID locked = Given.mail(this.scope, "locked@c.test");
		Given.mail(this.scope, "free@c.test");
		List<String> ids = Given.rows("select id from queue where email_id = '%s'", locked);
		Map<Boolean, List<Lease>> leases = lease().stream()
			.collect(Collectors.partitioningBy((lease) -> ids.contains(lease.delivery().toString())));
		CompletableFuture<List<HandOver>> waiting;
		try (Connection connection = TestDatabase.connect("mailroom")) {
			connection.setAutoCommit(false);
			connection.createStatement()
				.execute("select from queue where email_id = '%s' for update".formatted(locked));
			waiting = CompletableFuture.supplyAsync(() -> pass(leases.get(true)));
			assertThat(pass(leases.get(false))).hasSize(1);
			assertThat(waiting).isNotDone();
			connection.rollback();
		}
		assertThat(waiting.get(10, TimeUnit.SECONDS)).hasSize(1);
	}

	@Test
	void deliveriesOfACancelledCallerReturnToTheQueueWithoutAnAttempt() {
		Given.mail(this.scope, "b@c.test");
		List<Lease> leases = lease();
		giveUp(() -> this.queue.fence(leases, Duration.ZERO));
		Await.until("the delivery in the queue",
				() -> row("select phase || ' ' || attempt || ' ' || ambiguous from delivery_state")
					.equals("queued 0 0"));
	}

	@Test
	void aSealedLinkIsOpenedForTheOnlyRecipientOfAMail() {
		String link = this.sealed.seal("secret", this.scope.account(), "b@c.test");
		UUID alone = Given.mail(this.scope, "b@c.test");
		UUID copied = Given.mail(this.scope, "b@c.test");
		Given.run("update email_content set text = '%s' where email_id in ('%s', '%s')", link, alone, copied);
		Given.run("update email set bcc = '{d@c.test}' where id = '%s'", copied);
		assertThat(pass(lease()))
			.extracting((handOver) -> handOver.emailId().equals(alone) + " " + handOver.mail().text())
			.containsExactlyInAnyOrder("true secret", "false " + link);
	}

	@ParameterizedTest
	@ValueSource(strings = { "api_key_id", "person_id" })
	void aSealedLinkIsNotOpenedInAMailOfTheAccount(String submitter) {
		String link = this.sealed.seal("secret", this.scope.account(), "b@c.test");
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update email_content set text = 'Track it: %s' where email_id = '%s'", link, mail);
		Given.run("update email set %s = gen_random_uuid() where id = '%s'", submitter, mail);
		assertThat(pass(lease())).extracting((handOver) -> handOver.mail().text()).containsExactly("Track it: " + link);
	}

	@Test
	void theStatementsOfTheQueueUseIndexesOfThePresentMonthOnly() {
		IntStream.range(0, 20).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		List<Lease> leases = lease();
		List<Settlement> settlements = leases.stream()
			.map((lease) -> new Lease(lease.delivery(), lease.epoch() + 1))
			.map((lease) -> new Settlement(lease, new Outcome.Delivered("250 ok")))
			.toList();
		long scans = this.transactions.byIndex((jdbc) -> {
			long before = otherScans(jdbc);
			this.transitions.fence(jdbc, leases);
			// Joins this transaction.
			this.outcomes.settle(settlements);
			return otherScans(jdbc) - before;
		});
		assertThat(scans).isZero();
		assertThat(Given.rows("select count(*) from delivery where account_id = '%s' and status = 'delivered'",
				this.scope.account()))
			.containsExactly("20");
	}

	@Test
	void theFenceFindsItsRowsByIdAmongThousandsThatAreReady() {
		queueThousands();
		Given.run("analyze queue");
		List<Lease> leases = unclaimed(5);
		long read = this.transactions.byIndex((jdbc) -> {
			long before = readyRows(jdbc);
			assertThat(this.transitions.fence(jdbc, leases)).hasSize(5);
			return readyRows(jdbc) - before;
		});
		assertThat(read).as("rows read through indexes of ready rows").isZero();
		Given.run("delete from queue where account_id = '%s'", this.scope.account());
	}

	@Test
	void theFenceReadsItsRowsOnlyWithAPlanThatWasMadeForAShortQueue() {
		Given.run("vacuum analyze queue");
		List<Lease> leases = unclaimed(5);
		long read = this.transactions.byIndex((jdbc) -> {
			assertThat(this.transitions.fence(jdbc, List.of(new Lease(UUID.randomUUID(), 0)))).isEmpty();
			queueThousands();
			long before = rowsById(jdbc);
			assertThat(this.transitions.fence(jdbc, leases)).hasSize(5);
			return rowsById(jdbc) - before;
		});
		assertThat(read).as("rows read by id").isLessThan(100);
		Given.run("delete from queue where account_id = '%s'", this.scope.account());
	}

	private void queueThousands() {
		Given.run("insert into queue (id, account_id, email_id, recipient, destination, ready, due_at) "
				+ "select gen_random_uuid(), '%s', gen_random_uuid(), 'b@c.test', 'c.test', true, now() "
				+ "from generate_series(1, 5000)", this.scope.account());
	}

	private List<Lease> unclaimed(int mails) {
		return IntStream.range(0, mails)
			.mapToObj((i) -> Given.mail(this.scope, i + "@d.test"))
			.flatMap((mail) -> Given.rows("select id from queue where email_id = '%s'", mail).stream())
			.map((id) -> new Lease(UUID.fromString(id), 0))
			.toList();
	}

	private static long rowsById(JdbcClient jdbc) {
		return jdbc.sql("select pg_stat_get_xact_tuples_returned('queue_pkey'::regclass)").query(Long.class).single();
	}

	private static long readyRows(JdbcClient jdbc) {
		return jdbc
			.sql("select pg_stat_get_xact_tuples_returned('queue_ready'::regclass) "
					+ "+ pg_stat_get_xact_tuples_returned('queue_oldest'::regclass)")
			.query(Long.class)
			.single();
	}

	@Test
	void theFenceUpdatesTheQueueWithoutWritingItsIndexes() {
		Given.run("vacuum queue");
		IntStream.range(0, 10).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		List<Lease> leases = lease();
		long updates = this.transactions.byIndex((jdbc) -> {
			long before = updates(jdbc);
			this.transitions.fence(jdbc, leases);
			return updates(jdbc) - before;
		});
		assertThat(updates).as("1000 * updates + HOT updates").isEqualTo(10_010);
	}

	private static long updates(JdbcClient jdbc) {
		return jdbc
			.sql("select pg_stat_get_xact_tuples_updated('queue'::regclass) * 1000 "
					+ "+ pg_stat_get_xact_tuples_hot_updated('queue'::regclass)")
			.query(Long.class)
			.single();
	}

	/**
	 * Sequential scans, and index scans of other months, that the connection has not yet
	 * reported: those of this transaction, and those of earlier ones, because a backend
	 * reports its statistics at most once a second. Nothing is reported during a
	 * transaction, so that a difference is exact.
	 */
	private static long otherScans(JdbcClient jdbc) {
		return jdbc
			.sql("""
					select coalesce(sum(seq_scan + case when right(relname, 7) = to_char(now(), 'YYYY_MM') then 0 else idx_scan end),
					                0)::bigint
					  from pg_stat_xact_user_tables
					 where relname ~ '^(delivery|email|email_content|attachment|delivery_attempt|event)_([0-9_]+|other)$'
					""")
			.query(Long.class)
			.single();
	}

	@Test
	void onlyTheNewestLeasePassesTheFenceAndOnlyOnce() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> old = lease();
		Given.leased(mail, 7);
		List<Lease> leases = lease();
		assertThat(pass(old)).isEmpty();
		List<HandOver> passed = Await.together(8, (_) -> pass(leases)).stream().flatMap(List::stream).toList();
		assertThat(passed).hasSize(1);
		assertThat(passed.getFirst().emailId()).isEqualTo(mail);
		assertThat(passed.getFirst().mail().text()).isEqualTo("Hi");
		assertThat(phases(mail)).containsExactly("in_data");
	}

	@Test
	void aRecipientSuppressedAfterTheLeaseIsNotHandedOver() {
		UUID mail = Given.mail(this.scope, "No@c.test", "yes@c.test");
		List<Lease> leases = lease();
		Given.run("insert into suppression values ('%s', '%s', 'no@c.test', 'manual', now())", UUID.randomUUID(),
				this.scope.account());
		assertThat(pass(leases)).extracting(HandOver::recipient).containsExactly("yes@c.test");
		assertThat(Given.rows("select status from delivery where email_id = '%s' order by position", mail))
			.containsExactly("suppressed", "pending");
	}

	@Test
	void theDateOfAScheduledMailIsItsScheduledTime() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update email set created_at = now() - interval '20 days', "
				+ "scheduled_at = date_trunc('second', now() - interval '1 minute') where id = '%s'", mail);
		StoredMail loaded = pass(lease()).getFirst().mail();
		assertThat(loaded.createdAt()).isAfter(Instant.now().minusSeconds(120));
	}

	@Test
	void attachmentsAreLoadedUpToTheMemoryLimit() {
		for (int i = 0; i < 4; i++) {
			UUID mail = Given.mail(this.scope, "b@c.test");
			Given.run("insert into attachment (email_id, position, account_id, content) values ('%s', 0, '%s', "
					+ "decode(repeat('00', 5000000), 'hex'))", mail, this.scope.account());
			Given.run("update email_content set attachments = "
					+ "'[{\"filename\": \"a\", \"content_type\": \"a/b\"}]' where email_id = '%s'", mail);
		}
		assertThat(pass(lease())).hasSize(2)
			.allMatch((one) -> one.mail().attachments().getFirst().content().length == 5_000_000);
		assertThat(Given.rows(
				"select phase || ' ' || attempt from delivery_state where account_id = '%s' order by attempt",
				this.scope.account()))
			.containsExactly("queued 0", "queued 0", "in_data 1", "in_data 1");
	}

	@Test
	void bodiesAreLoadedUpToTheBudgetOfTheWorkerAndItIsFreedAtTheEnd() {
		for (int i = 0; i < 4; i++) {
			Given.run("update email_content set text = repeat('x', 400000) where email_id = '%s'",
					Given.mail(this.scope, "b@c.test"));
		}
		ContentBudget budget = new ContentBudget(4_000_000);
		Fence.Passed passed = fence(budget).pass(lease(), FenceStep.LIMIT);
		assertThat(passed.rows()).extracting(Transitions.FencedRow::barred)
			.containsExactlyInAnyOrder(null, null, Fenced.Reason.NO_ROOM, Fenced.Reason.NO_ROOM);
		assertThat(passed.mails()).hasSize(2);
		assertThat(budget.used()).isEqualTo(800_000);
		passed.memory().close();
		assertThat(budget.used()).isZero();
	}

	@Test
	void aCancelledCallerTakesNoMemory() throws Exception {
		UUID mail = Given.mail(this.scope, "b@c.test");
		ContentBudget budget = new ContentBudget(4_000_000);
		List<Lease> leases = lease();
		try (Connection connection = TestDatabase.connect("mailroom")) {
			connection.setAutoCommit(false);
			connection.createStatement().execute("select from queue where email_id = '%s' for update".formatted(mail));
			giveUp(() -> fence(budget).pass(leases, Duration.ZERO));
			connection.rollback();
		}
		Await.until("the delivery in the queue",
				() -> row("select phase || ' ' || attempt from delivery_state").equals("queued 0"));
		assertThat(budget.used()).isZero();
	}

	@Test
	void aMailIsLoadedOnceForAllRecipients() {
		Given.mail(this.scope, "b@c.test", "d@c.test", "e@c.test");
		List<HandOver> handOvers = pass(lease());
		Set<Integer> mails = handOvers.stream()
			.map((one) -> System.identityHashCode(one.mail()))
			.collect(Collectors.toSet());
		assertThat(handOvers).hasSize(3);
		assertThat(mails).hasSize(1);
	}

	private Fence fence(ContentBudget budget) {
		return new Fence(this.transactions, this.transitions, this.mails, this.contents, budget, this.settings);
	}

	private static void giveUp(ThrowingCallable caller) {
		assertThatIllegalStateException().isThrownBy(caller);
	}

	private String row(String select) {
		return Given.rows("%s where account_id = '%s'", select, this.scope.account()).getFirst();
	}

	private List<Lease> lease() {
		return LeaseStep.lease(this.queue);
	}

	private static List<String> phases(UUID mail) {
		return Given.rows("select phase from delivery_state where email_id = '%s' order by position", mail);
	}

	private List<HandOver> pass(List<Lease> leases) {
		return FenceStep.pass(this.queue, this.outcomes, leases);
	}

}
