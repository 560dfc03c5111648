package dev.mailroom.mail.queue;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.FenceStep;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Outcomes;
import dev.mailroom.mail.outcome.Settlement;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSources;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class QueueTest {

	@Autowired
	Queue queue;

	@Autowired
	Outcomes outcomes;

	@Autowired
	ReadyMail ready;

	@Autowired
	SendingSources sources;

	@Autowired
	Transitions transitions;

	@Autowired
	Transactions transactions;

	@Autowired
	JdbcTransactions threads;

	private final Window window = LeaseStep.window(1000, 1000);

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
		assertThat(lease()).hasSize(2)
			.extracting((lease) -> lease.delivery().toString())
			.containsExactlyInAnyOrderElementsOf(Given.rows("select id from delivery where email_id = '%s'", due));
		assertThat(lease()).isEmpty();
		assertThat(phases(due)).as("a lease writes nothing").containsExactly("queued", "queued");
		Given.due(later, "-1 second");
		assertThat(lease()).hasSize(1);
	}

	/** Such mail was accepted after the transaction of the lease had begun. */
	@Test
	void aReadyDeliveryThatIsDueInAMomentHasNoLateness() {
		assertThat(late("due_at = now() + interval '1 minute', first_due_at = now() + interval '1 minute'"))
			.isEqualTo(Duration.ZERO);
	}

	@Test
	void aDeliveryThatWaitedForItsDestinationIsLateFromItsFirstDueTime() {
		assertThat(late("first_due_at = now() - interval '1 hour'")).isGreaterThanOrEqualTo(Duration.ofHours(1));
		assertThat(late("first_due_at = now() - interval '1 hour', attempt = 2")).isLessThan(Duration.ofMinutes(1));
	}

	/** Lateness of a mail whose row was changed. */
	private Duration late(String change) {
		UUID mail = Given.mail(this.scope, "b@c.test");
		Given.run("update queue set %s where email_id = '%s'", change, mail);
		ReadyMail.Stream stream = new ReadyMail.Stream(this.scope.account(), false, 4, null, false, "free");
		List<ReadyMail.Due> due = this.threads.byIndex((jdbc) -> this.ready.next(jdbc,
				List.of(new ReadyMail.Visit(stream, 10, "")), LeaseStep.window(10, 10), SendingPools.NONE));
		Given.run("delete from queue where email_id = '%s'", mail);
		assertThat(Lease.Lateness.of(due)).singleElement()
			.satisfies((late) -> assertThat(late.stream()).isEqualTo("transactional"));
		return due.getFirst().late();
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
	void theRouteHasThePoolOfTheDomainOrElseOfTheAccountForEachStream() {
		Given.run("insert into sending_pool select name, 'wait', null, gen_random_uuid(), now() "
				+ "from unnest(array['a', 'b', 'c']) as name; "
				+ "insert into pool_choice values ('plan', 'unlimited', 'transactional', 'a'), "
				+ "('account', '%s', 'transactional', 'b')", this.scope.account());
		try {
			this.sources.read();
			Given.mail(this.scope, "b@c.test");
			assertThat(route().origin()).isEqualTo(new Route.Origin("b", false, false, null));
			Given.run("insert into pool_choice values ('domain', '%s', 'transactional', 'c'), "
					+ "('account', '%s', 'campaign', 'a')", this.scope.domain(), this.scope.account());
			this.sources.read();
			UUID mail = Given.mail(this.scope, "b@c.test");
			Given.run("update queue set attempt = 1 where email_id = '%s'", mail);
			assertThat(route().origin()).isEqualTo(new Route.Origin("c", false, true, null));
			UUID campaign = Given.mail(this.scope, "b@c.test");
			Given.run("update queue set campaign = true where email_id = '%s'", campaign);
			assertThat(route().origin()).isEqualTo(new Route.Origin("a", true, false, null));
			Lease announced = new Lease(UUID.randomUUID(), 0, new Route(this.scope.account(), "c.test", null, false));
			assertThat(this.queue.offer(announced, this.window, (_) -> true)).as("its domain decides").isFalse();
		}
		finally {
			Given.run("delete from pool_choice; delete from sending_pool");
			this.sources.read();
		}
	}

	@Test
	void aCampaignWithoutAPoolIsLeasedFromTheQueueAlone() throws SQLException {
		UUID account = this.scope.account();
		Given.run("insert into queue (id, account_id, email_id, recipient, destination, campaign, ready, due_at) "
				+ "select gen_random_uuid(), '%s', gen_random_uuid(), 'b@c.test', 'c.test', true, true, now() "
				+ "from generate_series(1, 10000)", account);
		assertThat(leased(SendingPools.NONE)).containsExactly("queue");
		PoolChoice ofAccount = new PoolChoice(PoolChoice.Kind.ACCOUNT, account.toString(), true, "main");
		assertThat(leased(new SendingPools(List.of(), List.of(), List.of(ofAccount), Set.of(), List.of())))
			.as("a pool of the account")
			.containsExactly("queue");
		assertThat(leased(new SendingPools(List.of(), List.of(), List.of(ofAccount), Set.of(account), List.of())))
			.as("a pool of a domain")
			.anyMatch((table) -> table.startsWith("email"));
	}

	/**
	 * Leases all mails of a campaign of the account, and returns the tables that the plan
	 * of the statement has read.
	 */
	private Set<String> leased(SendingPools pools) throws SQLException {
		List<String> plans = new ArrayList<>();
		try (Connection connection = TestDatabase.connect("mailroom")) {
			JdbcTemplate template = new JdbcTemplate(new SingleConnectionDataSource(connection, true)) {
				@Override
				protected void handleWarnings(Statement statement) throws SQLException {
					for (SQLWarning notice = statement.getWarnings(); notice != null; notice = notice
						.getNextWarning()) {
						plans.add(notice.getMessage());
					}
				}
			};
			template.execute("load 'auto_explain'; set auto_explain.log_min_duration = 0; "
					+ "set auto_explain.log_analyze = on; set auto_explain.log_timing = off; "
					+ "set auto_explain.log_format = json; set auto_explain.log_level = notice; "
					+ "set role mailroom_system; " + Transactions.INDEX_PLANS.replace("local ", ""));
			plans.clear();
			ReadyMail.Stream stream = new ReadyMail.Stream(this.scope.account(), true, 4, null, false, "free");
			List<ReadyMail.Due> due = this.ready.next(JdbcClient.create(template),
					List.of(new ReadyMail.Visit(stream, 10_000, "")), LeaseStep.window(10_000, 10_000), pools);
			assertThat(due).hasSize(10_000)
				.allMatch((one) -> (one.lease().route().origin() != null) == !pools.choices().isEmpty());
		}
		String plan = plans.getLast();
		return JsonMapper.shared()
			.readTree(plan.substring(plan.indexOf('{')))
			.findParents("Relation Name")
			.stream()
			.filter((node) -> node.get("Actual Loops").asInt() > 0)
			.map((node) -> node.get("Relation Name").asString())
			.collect(Collectors.toSet());
	}

	@Test
	void aDeliveryThatAWorkerDoesNotTakeIsLeasedAgainWithoutAnEventOrAWrite() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<String> row = Given.rows("select xmin || ' ' || queue::text from queue where email_id = '%s'", mail);
		this.window.returned(lease().stream().map(Lease::delivery).toList(), Duration.ZERO, false);
		assertThat(lease()).hasSize(1);
		assertThat(Given.rows("select xmin || ' ' || queue::text from queue where email_id = '%s'", mail))
			.isEqualTo(row);
		assertThat(Given.rows("select attempt from delivery where email_id = '%s' and reply is null", mail))
			.containsExactly("0");
	}

	@Test
	void aDeliveryThatNoWorkerClaimsIsLeasedAgainWhenItsLeaseEnds() {
		Given.mail(this.scope, "b@c.test");
		Window brief = new Window(10, 10, Duration.ofMillis(1), Duration.ZERO, 10);
		List<Lease> first = LeaseStep.lease(this.queue, brief);
		Await.until("another lease", () -> LeaseStep.lease(this.queue, brief).equals(first));
	}

	@Test
	void aMailThatWasRescheduledAfterItsLeaseKeepsItsNewTime() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = lease();
		Instant later = Instant.now().plus(7, ChronoUnit.DAYS).truncatedTo(ChronoUnit.SECONDS);
		reschedule(mail, later);
		assertThat(pass(leases)).isEmpty();
		this.outcomes.settle(settlements(leases, new Outcome.Unopened("No session", true)));
		assertThat(lease()).isEmpty();
		assertThat(Given
			.rows("select ready || ' ' || extract(epoch from due_at)::bigint from queue where email_id = '%s'", mail))
			.containsExactly("false " + later.getEpochSecond());
	}

	/** Two dispatchers, one of which has not noticed that it lost its lock. */
	@Test
	void aDeliveryThatTwoDispatchersLeasedPassesTheFenceOnce() {
		IntStream.range(0, 50).forEach((i) -> Given.mail(this.scope, i + "@c.test"));
		List<Lease> first = LeaseStep.lease(this.queue);
		List<Lease> second = LeaseStep.lease(this.queue);
		assertThat(first).hasSize(50).isEqualTo(second);
		assertThat(Await.together(2, (i) -> pass((i == 0) ? first : second)).stream().flatMap(List::stream))
			.hasSize(50);
	}

	@Test
	void mailOfAPausedAccountStaysQueued() {
		UUID mail = Given.mail(this.scope, "b@c.test");
		List<Lease> leases = lease();
		Given.run("update account set paused_reason = 'risky' where id = '%s'", this.scope.account());
		assertThat(pass(leases)).isEmpty();
		assertThat(LeaseStep.lease(this.queue)).isEmpty();
		assertThat(phases(mail)).containsExactly("queued");
	}

	@Test
	void aHandOverThatExpiresIsRecoveredAndCountsAsAmbiguous() {
		UUID mail = Given.mail(this.scope, "d@c.test");
		pass(lease());
		assertThat(this.queue.compare(this.window)).isZero();
		Given.expired(mail);
		assertThat(this.queue.compare(this.window)).isOne();
		assertThat(Given.rows("select phase || ' ' || ambiguous from delivery_state where email_id = '%s'", mail))
			.containsExactly("queued 1");
		assertThat(lease()).hasSize(1);
	}

	@Test
	void handOversDoNotExpireWhenTheDatabasesClockIsSetAhead() {
		UUID mail = Given.mail(this.scope, "d@c.test");
		Window published = this.queue.window(100, 100);
		List<Lease> leases = LeaseStep.lease(this.queue, published)
			.stream()
			.filter((lease) -> lease.route().accountId().equals(this.scope.account()))
			.toList();
		pass(leases);
		Given.expired(mail);
		assertThat(this.queue.compare(published)).isZero();
		assertThat(phases(mail)).containsExactly("in_data");
	}

	@Test
	void aNewDispatcherRecoversHandOversOfTheOneBefore() {
		UUID mail = Given.mail(this.scope, "d@c.test");
		pass(lease());
		assertThat(LeaseStep.lease(this.queue)).as("the mail is being sent").isEmpty();
		Given.expired(mail);
		assertThat(LeaseStep.recover(this.queue)).isOne();
		assertThat(LeaseStep.lease(this.queue)).hasSize(1);
	}

	@Test
	void aLeaseOfACancelledMailIsVoid() {
		Given.mail(this.scope, "b@c.test");
		List<Lease> leases = lease();
		Given.run("delete from queue where account_id = '%s'", this.scope.account());
		assertThat(pass(leases)).isEmpty();
		this.queue.compare(this.window);
		assertThat(this.window.ids()).isEmpty();
	}

	@Test
	void overdueMailToADestinationFailsWithTheReasonWhetherItWasTriedOrNot() {
		UUID old = Given.mail(this.scope, "b@dead.test");
		UUID fresh = Given.mail(this.scope, "b@dead.test");
		UUID other = Given.mail(this.scope, "b@c.test");
		Given.run("update queue set first_due_at = now() - interval '20 days' where email_id in ('%s', '%s')", old,
				other);
		assertThat(this.outcomes.failOverdue(this.scope.account(), "dead.test", 10)).isOne();
		assertThat(Given.rows("select status || ' ' || reply from delivery where email_id = '%s'", old))
			.containsExactly("failed Expired: dead.test could not be reached or took too little mail");
		assertThat(phases(fresh)).isEqualTo(phases(other)).containsExactly("queued");
	}

	private List<Lease> lease() {
		return LeaseStep.lease(this.queue, this.window);
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
		List<Lease> leases = lease();
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
