package dev.mailroom.admin.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

/** Queries and mutations of operators. */
@WithAdmin
class OperatorTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	Person tenant;

	Person operator;

	GraphQl client;

	@BeforeEach
	void people() {
		this.tenant = Person.in(this.context);
		this.operator = Person.operator(this.context);
		this.client = GraphQl.at(this.port).as(this.operator);
	}

	@Test
	void accountsAreFoundByAddressNameAndId() {
		for (String search : List.of(this.tenant.email().toUpperCase(Locale.ROOT), this.tenant.account().toString())) {
			JsonNode found = this.client.data(
					"query($s: String) { operator { accounts(first: 5, search: $s, paused: false, atRisk: false, plan: \"free\") { nodes { id email standing week { delivered } notes { note } } } } }",
					Map.of("s", search))
				.path("operator")
				.path("accounts")
				.path("nodes");
			assertThat(found.size()).isEqualTo(1);
			assertThat(found.path(0).path("standing").asString()).isEqualTo("HEALTHY");
		}
		JsonNode page = this.client
			.data("{ operator { accounts(first: 1) { nodes { id } pageInfo { hasNextPage endCursor } } } }")
			.path("operator")
			.path("accounts");
		JsonNode next = this.client
			.data("query($c: String) { operator { accounts(first: 1, after: $c) { nodes { id } } } }",
					Map.of("c", page.path("pageInfo").path("endCursor").asString()))
			.path("operator")
			.path("accounts");
		assertThat(next.path("nodes").path(0).path("id")).isNotEqualTo(page.path("nodes").path(0).path("id"));
	}

	@Test
	void anAccountIsSuspendedAndResumedWithReasonsInTheAuditLog() {
		assertThat(change("operatorSuspendAccount", "reason: \"spam\"", "pausedReason").path("pausedReason").asString())
			.isEqualTo("spam");
		assertThat(GraphQl.at(this.port)
			.as(this.tenant)
			.data("{ viewer { account { pausedReason } } }")
			.path("viewer")
			.path("account")
			.path("pausedReason")
			.asString()).isEqualTo("spam");
		assertThat(change("operatorResumeAccount", "reason: \"mended\"", "pausedReason").path("pausedReason").isNull())
			.isTrue();
		change("operatorResumeAccount", "reason: \"again\"", "id");
		for (String reason : List.of(" ", "moved to the cell us1", "the account will be deleted on Monday")) {
			assertThat(this.client.userError("operatorSuspendAccount",
					"(input: { account: \"" + this.tenant.account() + "\", reason: \"" + reason + "\" })"))
				.isEqualTo("invalid_request_data");
		}
		assertThat(this.client.userError("operatorSuspendAccount",
				"(input: { account: \"" + UUID.randomUUID() + "\", reason: \"x\" })"))
			.isEqualTo("not_found");
		assertThat(auditLog()).isEqualTo(List.of("account.resumed mended", "account.suspended spam"));
	}

	@Test
	void anAccountIsDeletedLaterUnlessThatIsCancelled() {
		String at = change("operatorDeleteAccount", "reason: \"asked\"", "deleteAt").path("deleteAt").asString();
		assertThat(Instant.parse(at)).isBetween(Instant.now().plus(Duration.ofDays(6)),
				Instant.now().plus(Duration.ofDays(8)));
		change("operatorDeleteAccount", "reason: \"again\"", "id");
		assertThat(change("operatorResumeAccount", "reason: \"no\"", "pausedReason").path("pausedReason").asString())
			.startsWith("the account will be deleted on ");
		assertThat(GraphQl.at(this.port)
			.as(this.tenant)
			.data("{ viewer { account { deleteAt } } }")
			.path("viewer")
			.path("account")
			.path("deleteAt")
			.asString()).isEqualTo(at);
		JsonNode kept = change("operatorCancelAccountDeletion", "reason: \"stays\"", "deleteAt pausedReason");
		assertThat(kept.path("deleteAt").isNull() && kept.path("pausedReason").isNull()).isTrue();
		assertThat(auditLog()).isEqualTo(List.of("account.deletion_cancelled stays", "account.deletion_asked asked"));
	}

	@Test
	void planTransportAndNotesAreChangedWithAuditRows() {
		String plan = "p" + UUID.randomUUID();
		this.client.change("operatorSavePlan", "(input: { name: \"" + plan + "\", dailyLimit: 7, reason: \"offer\" })",
				"plan { name dailyLimit monthlyLimit accounts }");
		assertThat(
				change("operatorSetAccountPlan", "plan: \"" + plan + "\", reason: \" contract \"", "plan").path("plan")
					.asString())
			.isEqualTo(plan);
		assertThat(this.client.userError("operatorSetAccountPlan",
				"(input: { account: \"" + this.tenant.account() + "\", plan: \"none\" })"))
			.isEqualTo("invalid_request_data");
		assertThat(GraphQl.at(this.port)
			.as(this.tenant)
			.data("{ viewer { usage { daily { limit } } } }")
			.path("viewer")
			.path("usage")
			.path("daily")
			.path("limit")
			.asInt()).isEqualTo(7);
		assertThat(change("operatorChooseAccountTransport", "transport: MX", "transport").path("transport").asString())
			.isEqualTo("MX");
		assertThat(change("operatorChooseAccountTransport", "transport: null, reason: \"blocked\"", "transport")
			.path("transport")
			.isNull()).isTrue();
		assertThat(this.client.userError("operatorSetAccountPlan", "(input: { account: \"" + this.tenant.account()
				+ "\", plan: \"" + plan + "\", reason: \"" + "x".repeat(1001) + "\" })"))
			.isEqualTo("invalid_request_data");
		assertThat(change("operatorAddAccountNote", "note: \"called\"", "notes { note }").path("notes").toString())
			.isEqualTo("[{\"note\":\"called\"}]");
		assertThat(this.client.data("{ operator { plans { name accounts } } }").toString())
			.contains("{\"name\":\"" + plan + "\",\"accounts\":1}");
		assertThat(auditLog()).isEqualTo(List.of("account.note_added null", "account.transport_chosen blocked",
				"account.transport_chosen null", "account.plan_changed contract"));
		assertThat(Given.rows("select target || ' ' || reason from audit where act = 'plan.saved' and actor_id = '%s'",
				this.operator.account()))
			.containsExactly(plan + " offer");
	}

	@Test
	void limitsOfAnAccountTakePrecedenceOverThoseOfItsPlan() {
		assertThat(change("operatorSetAccountLimits", "dailyLimit: 3, sendRate: 2, reason: \"new sender\"",
				"limits { dailyLimit monthlyLimit sendRate }")
			.path("limits")
			.toString()).isEqualTo("{\"dailyLimit\":3,\"monthlyLimit\":null,\"sendRate\":2}");
		String usage = GraphQl.at(this.port)
			.as(this.tenant)
			.data("{ viewer { usage { daily { limit } monthly { limit } } } }")
			.path("viewer")
			.path("usage")
			.toString();
		assertThat(usage).isEqualTo("{\"daily\":{\"limit\":3},\"monthly\":{\"limit\":3000}}");
		for (String input : List.of("dailyLimit: -1, reason: \"x\"", "sendRate: 0, reason: \"x\"", "reason: \" \"")) {
			assertThat(this.client.userError("operatorSetAccountLimits",
					"(input: { account: \"" + this.tenant.account() + "\", " + input + " })"))
				.isEqualTo("invalid_request_data");
		}
		assertThat(auditLog()).isEqualTo(List.of("account.limits_changed new sender"));
	}

	@Test
	void watchingATenantIsReadOnlyAndAuditedAndABodyNeedsAReason() {
		Scope sender = Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account());
		UUID mail = Given.mail(sender, "a@b.test");
		String document = "query($a: UUID!, $m: UUID!, $r: String) { operator { watch(account: $a, reason: \"ticket 1\") { account { email } "
				+ "emails(first: 5) { nodes { id deliveries { recipient } } } emailContent(id: $m, reason: $r) { text } } } }";
		Map<String, String> ids = Map.of("a", this.tenant.account().toString(), "m", mail.toString());
		JsonNode refused = this.client.send(document, ids);
		assertThat(refused.path("errors").path(0).path("extensions").path("name").asString())
			.isEqualTo("invalid_request_data");
		assertThat(refused.path("data").path("operator").path("watch").path("emails").path("nodes").size())
			.isEqualTo(1);
		JsonNode watched = this.client.data(document,
				Map.of("a", this.tenant.account().toString(), "m", mail.toString(), "r", "ticket 2"));
		assertThat(watched.path("operator").path("watch").path("emailContent").path("text").asString()).isEqualTo("Hi");
		assertThat(auditLog())
			.isEqualTo(List.of("mail.read ticket 2", "account.watched ticket 1", "account.watched ticket 1"));
		assertThat(this.client
			.error("{ operator { watch(account: \"" + this.tenant.account()
					+ "\", reason: \"\") { account { id } } } }")
			.path("name")
			.asString()).isEqualTo("invalid_request_data");
	}

	@Test
	void mailOfAllAccountsIsFoundWithAReason() {
		Scope sender = Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account());
		UUID mail = Given.mail(sender, "find-" + this.tenant.account() + "@b.test");
		for (String search : List.of("find-" + this.tenant.account(), mail.toString())) {
			JsonNode found = this.client.data(
					"query($s: String!) { operator { emails(search: $s, reason: \"ticket\") { nodes { id accountId accountEmail status } } } }",
					Map.of("s", search))
				.path("operator")
				.path("emails")
				.path("nodes");
			assertThat(found.toString()).isEqualTo("[{\"id\":\"" + mail + "\",\"accountId\":\"" + this.tenant.account()
					+ "\",\"accountEmail\":\"" + this.tenant.email() + "\",\"status\":\"PENDING\"}]");
		}
		assertThat(Given.rows("select reason from audit where act = 'mail.searched' and actor_id = '%s'",
				this.operator.account()))
			.containsExactly("ticket", "ticket");
	}

	@Test
	void factsOfAnAccountAreReadWithoutWatchingIt() {
		UUID domain = Given.domain(this.tenant.account());
		change("operatorAddAccountNote", "note: \"called\"", "id");
		JsonNode operator = this.client.data("""
				query($a: UUID!) { operator {
				  account(id: $a) { settledToday notes { authorEmail } }
				  accountDomains(account: $a) { id status }
				  accountUsage(account: $a) { plan daily { used } domains { used } }
				} }""", Map.of("a", this.tenant.account().toString())).path("operator");
		assertThat(operator.path("account").path("settledToday").asInt()).isZero();
		assertThat(operator.path("account").path("notes").path(0).path("authorEmail").asString())
			.isEqualTo(this.operator.email());
		assertThat(operator.path("accountDomains").path(0).path("id").asString()).isEqualTo(domain.toString());
		assertThat(operator.path("accountUsage").path("domains").path("used").asInt()).isEqualTo(1);
		assertThat(this.client.error("{ operator { accountUsage(account: \"" + UUID.randomUUID() + "\") { plan } } }")
			.path("name")
			.asString()).isEqualTo("not_found");
	}

	@Test
	void theAuditLogIsFilteredByActorAndTimeAndNamesAccounts() {
		change("operatorSuspendAccount", "reason: \"spam\"", "id");
		String query = "query($a: UUID, $k: ActorKind, $f: DateTime, $u: DateTime) { operator { auditLog(account: $a, actorKind: $k, from: $f, until: $u) { nodes { act actorEmail accountEmail } } } }";
		String account = this.tenant.account().toString();
		assertThat(this.client
			.data(query,
					Map.of("a", account, "k", "OPERATOR", "f", "2020-01-01T00:00:00Z", "u", "2999-01-01T00:00:00Z"))
			.path("operator")
			.path("auditLog")
			.path("nodes")
			.toString())
			.isEqualTo("[{\"act\":\"account.suspended\",\"actorEmail\":\"" + this.operator.email()
					+ "\",\"accountEmail\":\"" + this.tenant.email() + "\"}]");
		for (Map<String, String> other : List.of(Map.of("k", "API_KEY"), Map.of("f", "2999-01-01T00:00:00Z"),
				Map.of("u", "2020-01-01T00:00:00Z"))) {
			Map<String, String> variables = new HashMap<>(other);
			variables.put("a", account);
			assertThat(this.client.data(query, Map.copyOf(variables))
				.path("operator")
				.path("auditLog")
				.path("nodes")
				.size()).isZero();
		}
	}

	@Test
	void theAuditLogOfATimeIsExportedOldestFirstAndTheExportIsRecorded() {
		UUID actor = this.operator.account();
		Given.run("""
				insert into audit (id, actor_id, actor_kind, act, target, details, created_at)
				select ('019b0000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '%s', 'operator', 'plan.saved', n,
				       '{"monthly": 5}', timestamptz '2001-01-01Z' + n * interval '1 minute'
				  from generate_series(1, 500) n""", actor);
		String body = this.client.web()
			.get()
			.uri("/export/audit-log?from=2001-01-01T00:02:00Z&until=2001-01-01T08:20:00Z")
			.headers((headers) -> headers.setBearerAuth(this.operator.token()))
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentType(MediaType.APPLICATION_NDJSON)
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		List<JsonNode> entries = body.lines().map(JsonMapper.shared()::readTree).toList();
		assertThat(entries).extracting((entry) -> entry.path("target").asInt())
			.isEqualTo(IntStream.range(2, 500).boxed().toList());
		assertThat(entries.getFirst().path("createdAt").asString()).isEqualTo("2001-01-01T00:02:00Z");
		assertThat(entries.getFirst().path("details").path("monthly").asInt()).isEqualTo(5);
		assertThat(Given.rows("select details ->> 'from' from audit where act = 'audit.exported' and actor_id = '%s'",
				actor))
			.containsExactly("2001-01-01T00:02:00Z");
	}

	@Test
	void aDeadLetterIsRequeuedOnce() {
		Scope sender = Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account());
		UUID mail = Given.mail(sender, "a@b.test");
		String delivery = Given.rows("select id from delivery where email_id = '%s'", mail).getFirst();
		Given.run("delete from queue where id = '%1$s'; "
				+ "update delivery set status = 'failed', settled_at = now() where id = '%1$s'", delivery);
		Given.run(
				"insert into dead_letter (id, account_id, what, why, email_id, delivery_id, died_at) values "
						+ "('%1$s', '%2$s', 'mail', 'broken', '%3$s', '%1$s', now())",
				delivery, this.tenant.account(), mail);
		assertThat(this.client.data("{ operator { deadLetters { id why accountEmail } } }").toString())
			.contains(delivery, this.tenant.email());
		this.client.change("operatorRequeueDeadLetter", "(id: \"" + delivery + "\")", "requeuedId");
		assertThat(this.client.userError("operatorRequeueDeadLetter", "(id: \"" + delivery + "\")"))
			.isEqualTo("invalid_request_data");
		assertThat(Given.rows("select phase from delivery_state where id = '%s'", delivery)).containsExactly("queued");
		assertThat(
				Given.rows("select count(*) from audit where act = 'dead_letter.requeued' and target = '%s'", delivery))
			.containsExactly("1");
	}

	@Test
	void deadLettersOfACauseAndTimeAreRequeuedTogether() {
		Scope sender = Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account());
		String cause = "The key " + this.tenant.account() + " is WRONG";
		List<UUID> mails = Stream.generate(() -> Given.mail(sender, "a@b.test")).limit(4).toList();
		for (int i = 0; i < mails.size(); i++) {
			Given.run("delete from queue where email_id = '%1$s'; "
					+ "update delivery set status = 'failed', settled_at = now() where email_id = '%1$s'; "
					+ "insert into dead_letter (id, account_id, what, why, email_id, delivery_id, died_at) "
					+ "select id, account_id, 'mail', '%2$s', email_id, id, now() - interval '%3$s hours' "
					+ "from delivery where email_id = '%1$s'", mails.get(i), (i == 0) ? "other" : cause, i);
		}
		Given.run("delete from email_content where email_id = '%s'", mails.getLast());
		String filter = "why: \"" + cause.toLowerCase(Locale.ROOT) + "\", from: \""
				+ Instant.now().minus(Duration.ofDays(1)) + "\", until: \""
				+ Instant.now().minus(Duration.ofMinutes(90)) + "\"";
		assertThat(ids(deadLetters("first: 9, " + filter))).hasSize(2);
		assertThat(this.client.userError("operatorRequeueDeadLetters", "(input: { " + filter + ", reason: \" \" })"))
			.isEqualTo("invalid_request_data");
		String repaired = "(input: { " + filter + ", reason: \"key repaired\" })";
		assertThat(this.client.change("operatorRequeueDeadLetters", repaired, "requeued { count more }")
			.path("requeued")
			.toString()).isEqualTo("{\"count\":1,\"more\":false}");
		assertThat(Given.rows("select email_id from queue where account_id = '%s'", this.tenant.account()))
			.as("not: another cause, too late, without content")
			.containsExactly(mails.get(2).toString());
		assertThat(Given.rows(
				"select count(*) from audit where act = 'dead_letter.requeued' and reason = "
						+ "'key repaired' and target = (select id::text from delivery where email_id = '%s')",
				mails.get(2)))
			.containsExactly("1");
		assertThat(this.client.change("operatorRequeueDeadLetters", repaired, "requeued { count }")
			.path("requeued")
			.path("count")
			.asInt()).isZero();
	}

	@Test
	void deadLettersAreListedInPagesAndDismissedWithAReason() {
		Given.run(
				"insert into dead_letter (id, what, why, died_at, requeued_at) select gen_random_uuid(), 'record', '%1$s', "
						+ "now() + n * interval '1 day', case when n = 2 then now() end from generate_series(1, 5) as n",
				this.operator.account());
		List<String> newestFirst = Given.rows("select id from dead_letter where why = '%s' order by died_at desc",
				this.operator.account());
		JsonNode first = deadLetters("first: 2");
		assertThat(ids(first)).containsExactlyElementsOf(newestFirst.subList(0, 2));
		assertThat(first.path("pageInfo").path("hasNextPage").asBoolean()).isTrue();
		JsonNode next = deadLetters("first: 3, after: \"" + first.path("pageInfo").path("endCursor").asString() + "\"");
		assertThat(ids(next)).containsExactlyElementsOf(newestFirst.subList(2, 5));
		assertThat(ids(deadLetters("first: 1, requeued: true"))).containsExactly(newestFirst.get(3));
		assertThat(ids(deadLetters("first: 4, requeued: false"))).doesNotContain(newestFirst.get(3));
		String dismissed = newestFirst.getFirst();
		assertThat(this.client.userError("operatorDismissDeadLetter", dismissal(dismissed, " ")))
			.isEqualTo("invalid_request_data");
		this.client.change("operatorDismissDeadLetter", dismissal(dismissed, "known"), "dismissedId");
		assertThat(this.client.userError("operatorDismissDeadLetter", dismissal(dismissed, "known")))
			.isEqualTo("not_found");
		assertThat(ids(deadLetters("first: 1"))).containsExactly(newestFirst.get(1));
		assertThat(
				Given.rows("select reason from audit where act = 'dead_letter.dismissed' and target = '%s'", dismissed))
			.containsExactly("known");
		Given.run("delete from dead_letter where why = '%s'", this.operator.account());
	}

	@Test
	void aDeadLetterWhoseMailIsInTheQueueAgainIsNotDismissed() {
		Scope sender = Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account());
		UUID mail = Given.mail(sender, "a@b.test");
		Given.run("insert into dead_letter (id, account_id, what, why, email_id, delivery_id, died_at, requeued_at) "
				+ "select id, account_id, 'mail', 'broken', email_id, id, now(), now() from delivery where email_id = '%s'",
				mail);
		String delivery = Given.rows("select id from delivery where email_id = '%s'", mail).getFirst();
		assertThat(this.client.userError("operatorDismissDeadLetter", dismissal(delivery, "x"))).isEqualTo("not_found");
		assertThat(Given.rows("select count(*) from dead_letter where id = '%s'", delivery)).containsExactly("1");
	}

	private static String dismissal(String id, String reason) {
		return "(input: { id: \"" + id + "\", reason: \"" + reason + "\" })";
	}

	private JsonNode deadLetters(String arguments) {
		return this.client
			.data("{ operator { deadLetterList(" + arguments
					+ ") { totalCount pageInfo { hasNextPage endCursor } nodes { id why accountEmail } } } }")
			.path("operator")
			.path("deadLetterList");
	}

	private static List<String> ids(JsonNode connection) {
		return connection.path("nodes").valueStream().map((node) -> node.path("id").asString()).toList();
	}

	@Test
	void workersAreShownWithTheirConnections() {
		UUID worker = UUID.randomUUID();
		String host = "w" + worker;
		Given.run(
				"insert into worker (id, host, dispatching, started_at, seen_at, draining, in_hand, sender_threads, busy_threads) "
						+ "values ('%s', '%s', true, now(), now(), true, 9, 40, 3)",
				worker, host);
		Given.run("insert into destination_report (worker_id, transport, destination, connections, connection_limit, "
				+ "circuit, handed, unreached, busy, distrusted, mailbox, other, seen_at) "
				+ "select '%s', transport, destination, connections, 9, 'closed', handed, 0, 0, 0, 0, 0, now() "
				+ "from (values ('mx', 'a.test', 2, 10), ('mx', 'b.test', 3, 20), ('relay', 'c.test', 4, 30), "
				+ "('relay', 'd.test', 4, 40)) as report(transport, destination, connections, handed)", worker);
		assertThat(this.client.data(
				"{ operator { workers { host destinations connections rate draining inHand senderThreads busyThreads } } }")
			.toString())
			.contains("{\"host\":\"" + host + "\",\"destinations\":4,\"connections\":9,\"rate\":100,"
					+ "\"draining\":true,\"inHand\":9,\"senderThreads\":40,\"busyThreads\":3}");
		Given.run("delete from destination_report where worker_id = '%1$s'; delete from worker where id = '%1$s'",
				worker);
	}

	@Test
	void thePlatformIsShownWithChecksAndTheirFixes() {
		Given.run("insert into worker (id, host, dispatching, started_at, seen_at) values "
				+ "(gen_random_uuid(), 'w1', false, now(), now() - interval '5 minutes')");
		JsonNode operator = this.client.data("""
				{ operator {
				  workers { host away dispatching }
				  platform { accounts pausedAccounts deadLetters dispatcherActive }
				  queue { phase stream count due retries scheduled oldestSeconds }
				  failingEndpoints { url failed }
				  dailyFigures(days: 7) { day delivered }
				  healthChecks { name result finding fix }
				} }""").path("operator");
		assertThat(operator.path("platform").path("accounts").asInt()).isPositive();
		assertThat(operator.path("platform").path("dispatcherActive").asBoolean()).isFalse();
		assertThat(operator.path("workers").toString())
			.contains("{\"host\":\"w1\",\"away\":true,\"dispatching\":false}");
		assertThat(operator.path("healthChecks").size()).isEqualTo(11);
		for (JsonNode check : operator.path("healthChecks")) {
			assertThat(check.path("fix").asString().isEmpty()).isEqualTo(check.path("result").asString().equals("OK"));
		}
	}

	@Test
	void heldMailWaitsAndIsNotDue() {
		Scope sender = Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account());
		UUID mail = Given.mail(sender, "a@b.test");
		String before = queued();
		Given.run("update queue set ready = false, held = 'destination' where email_id = '%s'", mail);
		String held = queued();
		Given.run("update queue set held = null where email_id = '%s'", mail);
		assertThat(queued()).isEqualTo(before).isNotEqualTo(held);
		String[] counts = before.split(" ", -1);
		assertThat(held)
			.isEqualTo((Integer.parseInt(counts[0]) - 1) + " " + counts[1] + " " + (Integer.parseInt(counts[2]) + 1));
	}

	/** Numbers of queued transactional mails that are due, wait again, or wait first. */
	private String queued() {
		JsonNode part = this.client.data("{ operator { queue { phase stream due retries scheduled } } }")
			.path("operator")
			.path("queue")
			.valueStream()
			.filter((one) -> one.path("phase").asString().equals("QUEUED")
					&& one.path("stream").asString().equals("TRANSACTIONAL"))
			.findFirst()
			.orElseThrow();
		return part.path("due").asInt() + " " + part.path("retries").asInt() + " " + part.path("scheduled").asInt();
	}

	@Test
	void domainsThatPutMailOffAreShownWithTheirLastReply() {
		Scope sender = Scope.of(this.tenant.account(), Given.domain(this.tenant.account()), this.tenant.account());
		String domain = "d" + this.tenant.account() + ".test";
		UUID first = Given.mail(sender, "a@" + domain);
		Given.mail(sender, "b@" + domain);
		Given.run(
				"update queue set attempt = 2, due_at = now() + interval '1 hour', ready = false where email_id = '%1$s'; "
						+ "update delivery set reply = '451 4.7.1 Later' where email_id = '%1$s'",
				first);
		JsonNode shown = this.client
			.data("{ operator { destinations { domain waiting deferred inHand attempts nextAt reply } } }")
			.path("operator")
			.path("destinations")
			.valueStream()
			.filter((destination) -> destination.path("domain").asString().equals(domain))
			.findFirst()
			.orElseThrow();
		assertThat(shown.path("waiting").asInt()).isEqualTo(2);
		assertThat(shown.path("deferred").asInt()).isEqualTo(1);
		assertThat(shown.path("attempts").asInt()).isEqualTo(2);
		assertThat(shown.path("reply").asString()).isEqualTo("451 4.7.1 Later");
	}

	@Test
	void aDismissedOperatorIsForbiddenAtOnce() {
		Given.run("update account set role = 'tenant' where id = '%s'", this.operator.account());
		assertThat(this.client.error("{ operator { plans { name } } }").path("name").asString()).isEqualTo("forbidden");
		assertThat(this.client.error("mutation { operatorSavePlan(input: { name: \"x\" }) { plan { name } } }")
			.path("name")
			.asString()).isEqualTo("forbidden");
	}

	private JsonNode change(String mutation, String input, String fields) {
		return this.client
			.change(mutation, "(input: { account: \"" + this.tenant.account() + "\", " + input + " })",
					"account { " + fields + " }")
			.path("account");
	}

	/** The acts of operators on the tenant with their reasons, newest first. */
	private List<String> auditLog() {
		JsonNode nodes = this.client.data(
				"query($a: UUID, $o: UUID) { operator { auditLog(account: $a, actor: $o) { nodes { act reason actorKind } } } }",
				Map.of("a", this.tenant.account().toString(), "o", this.operator.account().toString()))
			.path("operator")
			.path("auditLog")
			.path("nodes");
		return nodes.valueStream()
			.map((node) -> node.path("act").asString() + " " + node.path("reason").asString("null"))
			.toList();
	}

}
