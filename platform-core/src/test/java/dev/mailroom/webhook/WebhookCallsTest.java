package dev.mailroom.webhook;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.WithCore;
import dev.mailroom.database.IdRange;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import dev.mailroom.secret.Stamp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

@WithCore
class WebhookCallsTest {

	private static final String SINCE = "2020-01-01T00:00:00Z";

	@Autowired
	WebhookEndpoints endpoints;

	@Autowired
	WebhookDeliveries deliveries;

	@Autowired
	WebhookCalls calls;

	@Autowired
	WebhookUpkeep upkeep;

	@Autowired
	Events events;

	@Autowired
	Stamp stamp;

	@Autowired
	JsonMapper json;

	@Autowired
	Transactions transactions;

	@Autowired
	JdbcTransactions blocking;

	@Autowired
	WebhookCallStore store;

	private final Scope scope = Given.sender("free");

	@Test
	void theSecretOfListenersIsTheSameAWeekLaterInAnotherProcess() {
		Scope scope = Given.sender("unlimited");
		ListenedCalls now = new ListenedCalls(this.stamp, this.json, Clock.systemUTC());
		ListenedCalls later = new ListenedCalls(this.stamp, this.json,
				Clock.offset(Clock.systemUTC(), Duration.ofDays(7)));
		assertThat(later.secret(scope)).isEqualTo(now.secret(scope))
			.isNotEqualTo(later.secret(Given.sender("unlimited")));
	}

	@Test
	void eachKindIsQueuedForEachActiveSubscribedEndpoint() {
		List<String> all = Arrays.stream(EventKind.values()).map(EventKind::contractName).toList();
		UUID subscribed = endpoint(all);
		UUID other = endpoint(List.of("contact.created"));
		UUID inactive = endpoint(all);
		await(this.endpoints.update(this.scope, inactive, new WebhookEndpoint.Change(false, null, null)));
		for (EventKind kind : EventKind.values()) {
			record(kind, null);
		}
		assertThat(kinds(subscribed))
			.containsExactlyInAnyOrderElementsOf(all.stream().filter((kind) -> !kind.equals("webhook.test")).toList());
		assertThat(kinds(other)).containsExactly("contact.created");
		assertThat(kinds(inactive)).isEmpty();
	}

	@Test
	void aRolledBackEventIsNotQueued() {
		UUID endpoint = endpoint(List.of("contact.created"));
		Event event = new Event(this.scope.account(), EventKind.CONTACT_CREATED, null, Map.of());
		Mono<Object> failing = this.events.recordOne(event).then(Mono.error(new IllegalStateException("expected")));
		assertThat(await(this.transactions.in(this.scope, failing).thenReturn("ok").onErrorReturn("failed")))
			.isEqualTo("failed");
		assertThat(kinds(endpoint)).isEmpty();
	}

	@Test
	void eventsOfOneStatementAreQueuedForTheirOwnAccountsOnly() {
		UUID endpoint = endpoint(List.of("contact.created"));
		Scope other = Given.sender("free");
		List<Event> group = List.of(new Event(this.scope.account(), EventKind.CONTACT_CREATED, null, Map.of()),
				new Event(other.account(), EventKind.CONTACT_CREATED, null, Map.of()));
		await(this.transactions.byIndex(this.events.record(group)));
		await(this.transactions.of(List.of(this.scope.account(), other.account()), this.events.record(group)));
		assertThat(kinds(endpoint)).hasSize(2);
		assertThat(Given.rows("select id from webhook_delivery where account_id = '%s'", other.account())).isEmpty();
	}

	@Test
	void anEventThatIsCommittedAfterTheCreationOfAnEndpointIsNotMissed() throws Exception {
		try (Connection open = TestDatabase.connect("mailroom"); Statement statement = open.createStatement()) {
			open.setAutoCommit(false);
			statement.execute("insert into event (id, account_id, kind, created_at) values (gen_random_uuid(), '"
					+ this.scope.account() + "', 'contact.created', now())");
			record(EventKind.CONTACT_UPDATED, null);
			UUID endpoint = endpoint(List.of("contact.created", "contact.updated"));
			this.upkeep.catchUp();
			this.upkeep.catchUp();
			assertThat(kinds(endpoint)).isEmpty();
			open.commit();
			until("the call", () -> {
				this.upkeep.catchUp();
				return kinds(endpoint).equals(List.of("contact.created"));
			});
			assertThat(Given.rows("select subscribed_at from webhook_state where endpoint_id = '%s'", endpoint))
				.containsExactly("null");
		}
	}

	@Test
	void theBodyHasTheFieldsOfTheMailAndStaysTheSame() {
		UUID endpoint = endpoint(List.of("email.bounced"));
		UUID mail = Given.mail(this.scope, "b@c.test");
		record(EventKind.EMAIL_BOUNCED, mail);
		LeasedEndpoint first = leased(endpoint);
		LeasedEndpoint.Call call = first.calls().getFirst();
		assertThat(call.body())
			.startsWith("{\"id\":\"" + call.eventId() + "\",\"type\":\"email.bounced\",\"api_version\":\"")
			.contains("\"created_at\":\"", "\"data\":{\"email_id\":\"" + mail + "\",\"from\":\"Ann <a@",
					"\"to\":[\"b@c.test\"]",
					"\"subject\":\"Hello\",\"tags\":{},\"domain_id\":\"" + this.scope.domain() + "\"",
					"\"name\":\"value\"");
		assertThat(call.firstWaitSeconds()).isNotNull();
		this.calls.settle(first, List.of(failed(call, 500, Duration.ZERO)));
		Given.run("update email set subject = 'Changed' where id = '%s'", mail);
		allDue(endpoint);
		LeasedEndpoint.Call second = leased(endpoint).calls().getFirst();
		assertThat(second.body()).isEqualTo(call.body());
		assertThat(second.eventId()).isEqualTo(call.eventId());
		assertThat(second.attempt()).isOne();
	}

	@Test
	void anEndpointIsLeasedByOneWorkerUntilItsCallsAreRecorded() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		LeasedEndpoint lost = leased(endpoint);
		assertThat(lease(endpoint)).isNull();
		Given.run("update webhook_state set lease_until = now() - interval '1 second' where endpoint_id = '%s'",
				endpoint);
		LeasedEndpoint repeated = leased(endpoint);
		assertThat(repeated.calls()).extracting(LeasedEndpoint.Call::eventId, LeasedEndpoint.Call::body)
			.containsExactly(tuple(lost.calls().getFirst().eventId(), lost.calls().getFirst().body()));
		this.calls.settle(lost, List.of(accepted(lost.calls().getFirst())));
		assertThat(statuses(endpoint)).containsExactly("pending 0");
		this.calls.settle(repeated, List.of(accepted(repeated.calls().getFirst())));
		assertThat(statuses(endpoint)).containsExactly("delivered 1");
		assertThat(lease(endpoint)).isNull();
	}

	@Test
	void callsOfAFailingEndpointArePostponedWithoutAChangeOfTheirRows() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		record(EventKind.CONTACT_CREATED, null);
		LeasedEndpoint first = leased(endpoint);
		assertThat(first.calls()).hasSize(2);
		List<String> before = Given.rows("select xmin || ' ' || ctid from webhook_delivery where id = '%s'",
				first.calls().get(1).id());
		this.calls.settle(first, List.of(failed(first.calls().getFirst(), 500, Duration.ofHours(1))));
		assertThat(lease(endpoint)).isNull();
		assertThat(Given.rows("select xmin || ' ' || ctid from webhook_delivery where id = '%s'",
				first.calls().get(1).id()))
			.isEqualTo(before);
		assertThat(state(endpoint)).isEqualTo("1 true");
		Given.run("update webhook_state set next_due_at = now() where endpoint_id = '%s'", endpoint);
		allDue(endpoint);
		LeasedEndpoint probe = leased(endpoint);
		assertThat(probe.calls()).hasSize(1);
		this.calls.settle(probe, List.of(accepted(probe.calls().getFirst())));
		assertThat(state(endpoint)).isEqualTo("0 false");
		assertThat(leased(endpoint).calls()).hasSize(1);
	}

	@Test
	void retriesFollowTheScheduleAndThenTheCallIsGivenUp() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		long[] seconds = { 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400 };
		for (long delay : seconds) {
			fail(endpoint, 503, Duration.ZERO);
			double actual = Double
				.parseDouble(Given
					.rows("select extract(epoch from due_at - now()) from webhook_delivery where endpoint_id = '%s'",
							endpoint)
					.getFirst());
			assertThat(actual).isBetween(delay * 0.9 - 30, delay * 1.1);
		}
		fail(endpoint, 503, Duration.ZERO);
		assertThat(statuses(endpoint)).containsExactly("failed 10");
		UUID id = UUID
			.fromString(Given.rows("select id from webhook_delivery where endpoint_id = '%s'", endpoint).getFirst());
		assertThat(await(this.deliveries.attempts(this.scope, List.of(id))).get(id)).hasSize(10)
			.allSatisfy((attempt) -> assertThat(attempt.error()).isEqualTo("expected"));
	}

	@Test
	void retryAfterPutsTheCallAndTheEndpointOff() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		fail(endpoint, 429, Duration.ofHours(1));
		assertThat(Given.rows("select extract(epoch from due_at - now())::int > 3500 from webhook_delivery "
				+ "where endpoint_id = '%s'", endpoint))
			.containsExactly("t");
		assertThat(Given.rows("select extract(epoch from next_due_at - now())::int > 3500 from webhook_state "
				+ "where endpoint_id = '%s'", endpoint))
			.containsExactly("t");
	}

	@Test
	void anEndpointThatIsGoneIsSwitchedOffAtOnceAndItsOwnerIsToBeNotified() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		fail(endpoint, 410, Duration.ZERO);
		assertThat(statuses(endpoint)).containsExactly("failed 1");
		WebhookEndpoint disabled = await(this.endpoints.find(this.scope, endpoint));
		assertThat(disabled.active()).isFalse();
		assertThat(disabled.disabledReason()).contains("410");
		assertThat(disabled.failingSince()).isNotNull();
		assertThat(notices(endpoint)).hasSize(1);
		notices(endpoint).forEach(this.upkeep::noticeSent);
		assertThat(notices(endpoint)).isEmpty();
		WebhookEndpoint active = await(
				this.endpoints.update(this.scope, endpoint, new WebhookEndpoint.Change(true, null, null)));
		assertThat(active.disabledReason()).isNull();
		assertThat(active.failingSince()).isNull();
	}

	@Test
	void fiveDaysOfFailuresSwitchAnEndpointOffAndOneSuccessPreventsIt() {
		UUID endpoint = endpoint(List.of("contact.created"));
		for (int i = 0; i < 2; i++) {
			record(EventKind.CONTACT_CREATED, null);
		}
		fail(endpoint, 500, Duration.ZERO);
		Given.run("update webhook_state set failing_since = now() - interval '6 days' where endpoint_id = '%s'",
				endpoint);
		reopen(endpoint);
		LeasedEndpoint probe = leased(endpoint);
		this.calls.settle(probe, List.of(accepted(probe.calls().getFirst())));
		reopen(endpoint);
		fail(endpoint, null, Duration.ZERO);
		assertThat(await(this.endpoints.find(this.scope, endpoint)).active()).isTrue();
		Given.run("update webhook_state set failing_since = now() - interval '121 hours' where endpoint_id = '%s'",
				endpoint);
		fail(endpoint, 500, Duration.ZERO);
		assertThat(await(this.endpoints.find(this.scope, endpoint)).disabledReason())
			.isEqualTo("All calls failed for 5 days");
		assertThat(notices(endpoint)).hasSize(1);
	}

	@Test
	void aTestAndARequestedCallReachAnEndpointThatIsSwitchedOffOrWhoseCallsArePostponed() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		record(EventKind.CONTACT_CREATED, null);
		fail(endpoint, 500, Duration.ofHours(2));
		await(this.endpoints.update(this.scope, endpoint, new WebhookEndpoint.Change(false, null, null)));
		assertThat(lease(endpoint)).isNull();
		WebhookDelivery test = await(this.deliveries.test(this.scope, endpoint));
		LeasedEndpoint leased = leased(endpoint);
		assertThat(leased.calls()).extracting(LeasedEndpoint.Call::id).containsExactly(test.id());
		this.calls.settle(leased, List.of(accepted(leased.calls().getFirst())));
		assertThat(lease(endpoint)).isNull();
		await(this.deliveries.redeliver(this.scope, test.id()));
		assertThat(leased(endpoint).calls()).extracting(LeasedEndpoint.Call::id).containsExactly(test.id());
	}

	@Test
	void callsToAnEndpointThatIsSwitchedOffAreGivenUpAfterAnHourAndRecovered() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		await(this.endpoints.update(this.scope, endpoint, new WebhookEndpoint.Change(false, null, null)));
		record(EventKind.CONTACT_CREATED, null);
		this.upkeep.sweep();
		assertThat(statuses(endpoint)).containsExactly("pending 0");
		Given.run("update webhook_state set inactive_since = now() - interval '2 hours' where endpoint_id = '%s'",
				endpoint);
		this.upkeep.sweep();
		assertThat(statuses(endpoint)).containsExactly("failed 0");
		await(this.endpoints.update(this.scope, endpoint, new WebhookEndpoint.Change(true, null, null)));
		assertThat(await(this.deliveries.recover(this.scope, endpoint, SINCE, null)))
			.isEqualTo(new WebhookDeliveries.Recovery(2, false));
		assertThat(statuses(endpoint)).containsExactly("pending 0", "pending 0");
		assertThat(await(this.deliveries.recover(this.scope, endpoint, SINCE, null)).count()).isZero();
		for (@Nullable
		String since : new @Nullable String[] { null, "", "yesterday", "2999-01-01T00:00:00Z" }) {
			awaitRefusal("Invalid request data", this.deliveries.recover(this.scope, endpoint, since, null));
		}
		awaitRefusal("Invalid request data", this.deliveries.recover(this.scope, endpoint, SINCE, SINCE));
	}

	@Test
	void aCallThatWaitsForAnotherAttemptIsRecoveredAtOnceWithAllRetries() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		fail(endpoint, 503, Duration.ofHours(14));
		assertThat(await(this.deliveries.recover(this.scope, endpoint, SINCE, null)).count()).isOne();
		assertThat(statuses(endpoint)).containsExactly("pending 0");
		assertThat(Given.rows("select due_at <= now() from webhook_delivery where endpoint_id = '%s'", endpoint))
			.containsExactly("t");
		assertThat(await(this.deliveries.recover(this.scope, endpoint, SINCE, null)).count()).isZero();
	}

	@Test
	void theCallsOfADeletedEndpointAreRemoved() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		fail(endpoint, 500, Duration.ZERO);
		await(this.endpoints.delete(this.scope, endpoint));
		this.upkeep.sweep();
		assertThat(Given.rows("select id from webhook_delivery where endpoint_id = '%s'", endpoint)).isEmpty();
		assertThat(Given.rows("select id from webhook_attempt where account_id = '%s'", this.scope.account()))
			.isEmpty();
		assertThat(Given.rows("select endpoint_id from webhook_state where endpoint_id = '%s'", endpoint)).hasSize(1);
		Given.run("update webhook_state set deleted_at = now() - interval '2 hours' where endpoint_id = '%s'",
				endpoint);
		this.upkeep.sweep();
		assertThat(Given.rows("select endpoint_id from webhook_state where endpoint_id = '%s'", endpoint)).isEmpty();
	}

	@Test
	void bothSecretsSignForADayAfterARotation() {
		WebhookEndpoint.Issued old = issued(List.of("contact.created"));
		UUID endpoint = old.endpoint().id();
		WebhookEndpoint.Issued rotated = await(this.endpoints.rotate(this.scope, endpoint));
		record(EventKind.CONTACT_CREATED, null);
		LeasedEndpoint leased = leased(endpoint);
		assertThat(leased.secrets()).containsExactly(rotated.secret(), old.secret());
		assertThat(leased.toString() + leased.calls()).doesNotContain("whsec_");
		this.calls.settle(leased, List.of());
		Given.run("update webhook_endpoint set previous_until = now() - interval '1 second' where id = '%s'", endpoint);
		assertThat(leased(endpoint).secrets()).containsExactly(rotated.secret());
	}

	@Test
	void theBacklogLeavesFailingEndpointsOut() {
		UUID failing = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		fail(failing, 500, Duration.ZERO);
		Given.run("update webhook_delivery set due_at = now() - interval '3 days' where endpoint_id = '%s'", failing);
		WebhookDeliveries.Backlog backlog = this.deliveries.backlog();
		assertThat(backlog.failing()).isPositive();
		assertThat(backlog.oldestSeconds()).isLessThan(2 * 24 * 3600.0);
	}

	@Test
	void aTurnReadsItsCallsOnlyWithPlansThatWereMadeForFewOfThem() {
		UUID endpoint = endpoint(List.of("contact.created"));
		record(EventKind.CONTACT_CREATED, null);
		Given.run("vacuum analyze webhook_delivery");
		List<Long> read = this.blocking.byIndex((jdbc) -> {
			assertThat(turn(jdbc, endpoint)).isNotNull();
			Given.run(
					"insert into event (id, account_id, kind, created_at) "
							+ "select uuidv7(), '%s', 'contact.created', now() from generate_series(1, 5000)",
					this.scope.account());
			Given.run(
					"update webhook_delivery set due_at = now() - interval '1 minute' where id in "
							+ "(select id from webhook_delivery where endpoint_id = '%s' for update skip locked)",
					endpoint);
			return turn(jdbc, endpoint);
		});
		assertThat(read).as("rows read by lease, look-up, body and result").hasSize(4).allMatch((rows) -> rows < 500);
	}

	/** Makes ten calls; rows that the statements have read by indexes of calls. */
	private List<Long> turn(JdbcClient jdbc, UUID endpoint) {
		IdRange events = new IdRange(new UUID(0, 0), new UUID(-1, -1));
		List<Long> read = new ArrayList<>(List.of(rowsByIndex(jdbc)));
		List<WebhookCalls.Leased> leased = this.store.lease(jdbc, before(endpoint), events, 1);
		read.add(rowsByIndex(jdbc));
		List<DueCall> due = this.store.due(jdbc, leased, events, 10);
		read.add(rowsByIndex(jdbc));
		this.store.freeze(jdbc, due);
		read.add(rowsByIndex(jdbc));
		List<CallResult> results = due.stream()
			.map((call) -> new CallResult(call.id(), call.eventId(), 204, "", null, Duration.ZERO, Duration.ofMillis(7),
					Instant.now()))
			.toList();
		LeasedEndpoint held = new LeasedEndpoint(endpoint, this.scope.account(), leased.getFirst().epoch(), "", false,
				List.of(), List.of(), false);
		assertThat(this.store.release(jdbc, held, results)).isPresent();
		this.store.settle(jdbc, held, results);
		read.add(rowsByIndex(jdbc));
		return IntStream.range(1, read.size()).mapToObj((i) -> read.get(i) - read.get(i - 1)).toList();
	}

	private static long rowsByIndex(JdbcClient jdbc) {
		return jdbc.sql("""
				select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index
				 where indrelid in (select relid from pg_partition_tree('webhook_delivery'))
				    or indrelid in (select relid from pg_partition_tree('event'))
				""").query(Long.class).single();
	}

	private UUID endpoint(List<String> kinds) {
		return issued(kinds).endpoint().id();
	}

	private WebhookEndpoint.Issued issued(List<String> kinds) {
		return await(this.endpoints.create(this.scope,
				new WebhookEndpoint.Form("https://example.com/hooks", List.copyOf(kinds), null)));
	}

	private void record(EventKind kind, @Nullable UUID mail) {
		await(this.transactions.in(this.scope,
				this.events.recordOne(new Event(this.scope.account(), kind, mail, Map.of("name", "value")))));
	}

	/** Leases until it is the turn of the endpoint; null if it is not leased. */
	private @Nullable LeasedEndpoint lease(UUID endpoint) {
		return this.calls.lease(before(endpoint), 1, 10)
			.endpoints()
			.stream()
			.filter((leased) -> leased.endpointId().equals(endpoint))
			.findFirst()
			.orElse(null);
	}

	/** The id directly before that of the endpoint. */
	private static UUID before(UUID endpoint) {
		return new UUID(endpoint.getMostSignificantBits(), endpoint.getLeastSignificantBits() - 1);
	}

	private LeasedEndpoint leased(UUID endpoint) {
		LeasedEndpoint leased = lease(endpoint);
		assertThat(leased).isNotNull();
		return leased;
	}

	/** Makes all calls due and lets one of them fail. */
	private void fail(UUID endpoint, @Nullable Integer status, Duration retryAfter) {
		reopen(endpoint);
		LeasedEndpoint leased = leased(endpoint);
		this.calls.settle(leased, List.of(failed(leased.calls().getFirst(), status, retryAfter)));
	}

	private static void reopen(UUID endpoint) {
		allDue(endpoint);
		Given.run("update webhook_state set next_due_at = now() where endpoint_id = '%s'", endpoint);
	}

	private static void allDue(UUID endpoint) {
		Given.run("update webhook_delivery set due_at = now() where endpoint_id = '%s' and status = 'pending'",
				endpoint);
		Given.run("update webhook_state set next_due_at = now() where endpoint_id = '%s'", endpoint);
	}

	private static CallResult accepted(LeasedEndpoint.Call call) {
		return new CallResult(call.id(), call.eventId(), 204, "", null, Duration.ZERO, Duration.ofMillis(7),
				Instant.now());
	}

	private static CallResult failed(LeasedEndpoint.Call call, @Nullable Integer status, Duration retryAfter) {
		return new CallResult(call.id(), call.eventId(), status, (status != null) ? "no" : null, "expected", retryAfter,
				Duration.ofMillis(7), Instant.now());
	}

	private List<WebhookUpkeep.SwitchedOff> notices(UUID endpoint) {
		return this.upkeep.switchedOff().stream().filter((notice) -> notice.id().equals(endpoint)).toList();
	}

	private List<String> kinds(UUID endpoint) {
		return await(this.deliveries.list(this.scope, endpoint, new Page.Request(1, 100))).items()
			.stream()
			.map(WebhookDelivery::kind)
			.toList();
	}

	private static List<String> statuses(UUID endpoint) {
		return Given.rows("select status || ' ' || attempt from webhook_delivery where endpoint_id = '%s'", endpoint);
	}

	private static String state(UUID endpoint) {
		return Given
			.rows("select failures || ' ' || (next_due_at > now()) from webhook_state where endpoint_id = '%s'",
					endpoint)
			.getFirst();
	}

}
