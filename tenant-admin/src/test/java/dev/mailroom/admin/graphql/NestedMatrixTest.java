package dev.mailroom.admin.graphql;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.admin.graphql.FieldDocuments.Ids;
import dev.mailroom.admin.graphql.NestedFields.Path;
import graphql.parser.Parser;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLObjectType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.graphql.execution.GraphQlSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every field of every type below the viewer, the operator and a watched account, with
 * each kind of credential. The documents are generated from the schema: a field without a
 * case, or whose object no document reaches, fails.
 */
@WithAdmin
class NestedMatrixTest {

	private static final Logger log = LoggerFactory.getLogger(NestedMatrixTest.class);

	/** Types that only mutations and subscriptions return. */
	private static final Set<String> OTHERS = Set.of("Query", "Mutation", "Subscription", "Viewer", "Operator",
			"PlatformStatus", "RequeuedDeadLetters", "SentEmail", "UserError", "Watch");

	/**
	 * Types of which the list of a hundred domains shows a part, because its records
	 * exceed the limits, with the error of the last document.
	 */
	private static final Map<String, String> TOO_MANY = Map.of("DnsRecord", "", "Domain", "ok");

	/**
	 * Errors of types of a watched account that its operator cannot read: received mail,
	 * and content without a reason of its own.
	 */
	private static final Map<String, String> NOT_WATCHED = Map.of("InboundMail", "forbidden", "InboundHeader",
			"forbidden", "CampaignPreview", "forbidden", "InboundFile", "forbidden", "Download", "forbidden",
			"EmailContent", "invalid_request_data");

	/** Errors of types that only owners and admins read. */
	private static final Map<String, String> FOR_ADMINS = Map.of("AccountAct", "forbidden", "AccountActConnection",
			"forbidden", "AccountActEdge", "forbidden");

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	GraphQlSource source;

	private final UUID worker = UUID.randomUUID();

	private Person victim;

	private Person colleague;

	private GraphQl anybody;

	private GraphQl owner;

	private GraphQl operator;

	private Map<String, UUID> objects;

	private NestedFields viewer;

	private NestedFields platform;

	@BeforeEach
	void anAccountOfWhichEverythingIsUsed() {
		this.victim = Person.in(this.context);
		this.anybody = GraphQl.at(this.port);
		this.owner = this.anybody.as(this.victim);
		this.operator = this.anybody.as(Person.operator(this.context));
		this.colleague = Person.in(this.context);
		this.objects = AccountObjects.of(this.victim, this.colleague, this.owner);
		AccountObjects.use(this.victim.account(), this.objects);
		this.objects.putAll(Map.of("account", this.victim.account(), "actor", this.victim.account()));
		this.viewer = NestedFields.below(this.source.schema(), "Viewer", Set.of());
		this.platform = NestedFields.below(this.source.schema(), "Operator", Set.of("watch"));
		usePlatform();
	}

	/** Creates what operators see of the platform. */
	private void usePlatform() {
		UUID account = this.victim.account();
		this.operator.change("operatorAddAccountNote", "(input: { account: \"" + account + "\", note: \"x\" })",
				"account { id }");
		this.operator.change("operatorPauseQueue", "(reason: \"x\", stream: CAMPAIGN)", "paused");
		this.operator.change("operatorHoldDestination",
				"(input: { destination: \"" + account + ".test\", reason: \"x\" })", "held { destination }");
		Given.run("insert into worker (id, host, dispatching, started_at, seen_at) values "
				+ "('%s', 'w', false, now(), now() + interval '1 hour')", this.worker);
		Given.run("insert into destination_report values ('%s', 'mx', '%s.test', 1, 5, 'closed', null, 1, 1, 1, 0, 0, "
				+ "0, now() + interval '1 hour')", this.worker, account);
		Given.run("insert into address_check values ('192.0.2.1', 'list', 'x', 'failed', 'x', false, now(), now()); "
				+ "insert into block_list values ('x', 'x.test', 'address', 'high', 'https://x.test/', 'on', now()); "
				+ "insert into unread_report values (gen_random_uuid(), 'x', 'x', 'bomb', 'x', 1, now()); "
				+ "insert into acme_order (id, account_id, name, began_at) values (gen_random_uuid(), '%1$s', 'x', now()); "
				+ "insert into mta_sts_policy values ('%1$s.test', 'x', 'enforce', '{x.test}', 9999, now(), 'enforced'); "
				+ "insert into forward_hour values ('%1$s', '%1$s', now(), 'loop', 1); "
				+ "insert into tls_report_sent values ('%1$s.test', '2026-01-01', 'sent', now(), now(), 1, 'x', 'x', 1, 1, now())",
				account);
		Given
			.run("insert into site_memory values ('x', 'x', 'x', 1, now(), 0, now() + interval '1 hour', 1, 'x', now()); "
					+ "insert into provider_profile values ('x', '{\"name\": \"x\", \"suffixes\": [\"x.test\"], \"sessions\": 1, "
					+ "\"mailsPerSession\": 1, \"mailsPerMinute\": 1, \"connectionsPerMinute\": 1, \"leastTls\": \"VERIFIED\", "
					+ "\"greylistSeconds\": 1, \"rules\": []}', '%s', now())", account);
		Given.run("insert into sending_source values ('x', '127.0.1.9', '::1', '192.0.2.1', '2001:db8::1', 'x.test', "
				+ "'active', '%1$s', now()); insert into sending_pool values ('y', 'wait', null, '%1$s', now()); "
				+ "insert into sending_pool values ('x', 'fallback', 'y', '%1$s', now()); "
				+ "insert into sending_pool_member values ('x', 'x', 1); "
				+ "insert into pool_choice values ('account', '%1$s', 'campaign', 'x'); "
				+ "insert into source_warmup values ('x', '{50}', '{200}', '%1$s', now()); "
				+ "insert into source_warmup_day (source, provider, day, step, allowance, held) "
				+ "values ('x', 'gmail', '2026-01-01', 1, 50, 'x')", account);
		Given.run("insert into dead_letter (id, what, why, died_at) values ('%s', 'record', 'x', now())", this.worker);
		// The code is the generated argument.
		Given
			.run("insert into device_sign_in (device_hash, code_hash, program, device, address, requested, expires_at, "
					+ "interval_seconds) values (sha256('%s'), sha256('XX'), 'p', 'd', 'a', '{send}', "
					+ "now() + interval '1 hour', 5)", this.worker);
	}

	@AfterEach
	void thePlatformIsAsBefore() {
		this.operator.change("operatorResumeQueue", "(stream: CAMPAIGN)", "paused");
		this.operator.change("operatorReleaseDestination", "(destination: \"" + this.victim.account() + ".test\")",
				"released");
		Given.run("delete from worker where id = '%1$s'; delete from destination_report where worker_id = '%1$s'; "
				+ "delete from dead_letter where id = '%1$s'; delete from device_sign_in where code_hash = sha256('XX'); "
				+ "delete from address_check where list = 'x'; delete from block_list where name = 'x'; "
				+ "delete from unread_report where domain = 'x'; delete from mta_sts_policy where txt_id = 'x'; "
				+ "delete from site_memory where site = 'x'; delete from provider_profile where name = 'x'; "
				+ "delete from pool_choice; delete from sending_pool; delete from sending_source", this.worker);
	}

	@Test
	void everyTypeIsCovered() {
		Set<String> all = new TreeSet<>();
		this.source.schema()
			.getAllTypesAsList()
			.stream()
			.filter(GraphQLObjectType.class::isInstance)
			.map(GraphQLNamedType::getName)
			.filter((name) -> !name.startsWith("__") && !name.endsWith("Payload"))
			.forEach(all::add);
		all.removeAll(this.viewer.types());
		all.removeAll(this.platform.types());
		assertThat(all).containsExactlyInAnyOrderElementsOf(OTHERS);
	}

	@Test
	void withoutAPersonsTokenNothingIsRead() {
		String key = this.owner
			.change("createApiKey", "(input: { domainId: \"" + this.objects.get("domain") + "\", name: \"other\" })",
					"key")
			.path("key")
			.asString();
		int cases = 0;
		for (Document document : Stream.concat(documents(this.viewer, "viewer"), ofThePlatform()).toList()) {
			this.anybody.isUnauthorized(document.text());
			this.anybody.as(key).post(GraphQl.body(document.text(), Map.of())).expectStatus().isForbidden();
			cases += 2 * document.fields();
		}
		log.info("Cases without a person's token: {}", cases);
	}

	@Test
	void eachRoleReadsItsAccountAndNothingOfThePlatform() {
		GraphQl member = this.anybody.as(this.colleague);
		int cases = everyFieldIsRead(this.owner, this.viewer, "viewer", Map.of()) + nothingOfThePlatform(this.owner);
		for (String role : List.of("viewer", "developer", "admin")) {
			Given.run("update member set role = '%s' where account_id = '%s' and role <> 'owner'", role,
					this.victim.account());
			cases += everyFieldIsRead(member, this.viewer, "viewer", role.equals("admin") ? Map.of() : FOR_ADMINS)
					+ nothingOfThePlatform(member);
		}
		log.info("Cases of the roles owner, viewer, developer and admin: {}", cases);
	}

	@Test
	void otherAccountsReadNothingOfTheAccount() {
		int cases = 0;
		for (GraphQl stranger : List.of(this.anybody.as(Person.in(this.context)), this.operator)) {
			for (Document document : documents(this.viewer, "viewer").toList()) {
				JsonNode response = stranger.send(document.text(), Map.of());
				Stream<String> secrets = Stream.concat(this.objects.values().stream().map(UUID::toString),
						Stream.of(this.victim.email()));
				assertThat(response.path("data").toString()).as(document.text())
					.doesNotContain(secrets.toArray(String[]::new));
				// Its argument is an address, which has to be at a domain of the caller.
				String refused = document.text().contains("inboundRouteMatch") ? "invalid_request_data"
						: "[a-z_]*not_found";
				assertThat(error(response)).as(document.text()).matches("ok|" + refused);
				cases += document.fields();
			}
		}
		log.info("Cases of other accounts: {}", cases);
	}

	@Test
	void anOperatorReadsThePlatformAndAWatchedAccount() {
		log.info("Cases of an operator: {}", everyFieldIsRead(this.operator, this.viewer, watch(), NOT_WATCHED)
				+ everyFieldIsRead(this.operator, this.platform, "operator", TOO_MANY));
	}

	/**
	 * Requires that each field of each type is read, on one of the ways to it.
	 * @param refused the error of types that cannot be read
	 */
	private int everyFieldIsRead(GraphQl client, NestedFields fields, String root, Map<String, String> refused) {
		List<String> unread = new ArrayList<>();
		int cases = 0;
		for (Map.Entry<String, List<Path>> type : fields.paths().entrySet()) {
			Set<String> missing = new TreeSet<>(type.getValue().getFirst().names());
			cases += missing.size();
			String error = "";
			for (Path path : type.getValue()) {
				for (Document document : missing.isEmpty() ? List.<Document>of() : documents(path, root)) {
					JsonNode response = client.send(document.text(), Map.of());
					error = error(response);
					if (error.equals("ok")) {
						missing.removeAll(path.shown(root(response.path("data"), root)));
					}
				}
			}
			if (refused.containsKey(type.getKey()) ? !error.equals(refused.get(type.getKey())) : !missing.isEmpty()) {
				unread.add(type.getKey() + " " + missing + " " + error);
			}
		}
		assertThat(unread).isEmpty();
		return cases;
	}

	private int nothingOfThePlatform(GraphQl client) {
		int cases = 0;
		for (Document document : ofThePlatform().toList()) {
			JsonNode response = client.send(document.text(), Map.of());
			assertThat(error(response)).as(document.text()).isEqualTo("forbidden");
			assertThat(response.path("data").path("operator").isNull()).as(document.text()).isTrue();
			cases += document.fields();
		}
		return cases;
	}

	/** The documents for what only operators read. */
	private Stream<Document> ofThePlatform() {
		return Stream.concat(documents(this.platform, "operator"), documents(this.viewer, watch()));
	}

	/** A document for each type, by the shortest way. */
	private Stream<Document> documents(NestedFields fields, String root) {
		return fields.paths().values().stream().map(List::getFirst).flatMap((path) -> documents(path, root).stream());
	}

	/**
	 * A document that selects all fields of a type, or if it exceeds the limits, one for
	 * each field that does not.
	 */
	private List<Document> documents(Path path, String root) {
		Document all = document(path, path.names(), root);
		return isWithinLimits(all) ? List.of(all)
				: path.names()
					.stream()
					.map((name) -> document(path, Set.of(name), root))
					.filter(this::isWithinLimits)
					.toList();
	}

	private Document document(Path path, Set<String> names, String root) {
		String text = "{ " + root + " { " + path.selection(names, Ids.of(this.objects)) + " } }";
		return new Document(text + (root.contains("{") ? " }" : ""), names.size());
	}

	private boolean isWithinLimits(Document document) {
		try {
			DocumentCost.check(this.source.schema(), Parser.parse(document.text()), Map.of(), true);
			return true;
		}
		catch (Refused _) {
			return false;
		}
	}

	private String watch() {
		return "operator { watch(account: \"" + this.victim.account() + "\", reason: \"x\")";
	}

	private static JsonNode root(JsonNode data, String root) {
		return root.contains("{") ? data.path("operator").path("watch") : data.path(root);
	}

	private static String error(JsonNode response) {
		return response.path("errors").path(0).path("extensions").path("name").asString("ok");
	}

	/**
	 * A document.
	 *
	 * @param fields the number of fields that it is about
	 */
	private record Document(String text, int fields) {
	}

}
