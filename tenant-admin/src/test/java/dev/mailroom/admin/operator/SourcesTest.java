package dev.mailroom.admin.operator;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Sending addresses and pools for operators. */
@WithAdmin
class SourcesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	GraphQl client;

	@BeforeEach
	void addresses() {
		this.client = GraphQl.at(this.port).as(Person.operator(this.context));
		save("one", "v4: \"127.0.1.11\", v6: \"::1\"");
		save("two", "v4: \"127.0.1.12\"");
		this.client.change("operatorSavePool",
				"(input: {name: \"main\", members: [{source: \"one\", weight: 3}, {source: \"two\"}]})",
				"pool { name }");
	}

	private void save(String name, String addresses) {
		this.client.change("operatorSaveSendingAddress",
				"(input: {name: \"%s\", %s, helo: \"%s.mail.test\"})".formatted(name, addresses, name),
				"address { name }");
	}

	@AfterEach
	void remove() {
		Given.run("delete from pool_choice; delete from sending_pool; delete from sending_source");
	}

	@Test
	void operatorsSeeAddressesWithTheWorkersThatHaveThem() {
		Given.run(
				"insert into source_seen values ('%s', 'one', true, false, now()), ('%s', 'one', true, false, "
						+ "now() - interval '2 minutes'), ('%s', 'two', false, false, now())",
				UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
		assertThat(operator("sendingAddresses { name v4 v6 helo state workers pools }").path("sendingAddresses")
			.toString())
			.isEqualTo("[{\"name\":\"one\",\"v4\":\"127.0.1.11\",\"v6\":\"0:0:0:0:0:0:0:1\",\"helo\":\"one.mail.test\","
					+ "\"state\":\"ACTIVE\",\"workers\":1,\"pools\":[\"main\"]},"
					+ "{\"name\":\"two\",\"v4\":\"127.0.1.12\",\"v6\":null,\"helo\":\"two.mail.test\","
					+ "\"state\":\"ACTIVE\",\"workers\":0,\"pools\":[\"main\"]}]");
		assertThat(pool("main").path("usable").asInt()).isOne();
		this.client.change("operatorRemoveSendingAddress", "(name: \"two\")", "removed");
		assertThat(pool("main").path("members").size()).isOne();
		assertThat(this.client.userError("operatorRemoveSendingAddress", "(name: \"two\")")).isEqualTo("not_found");
	}

	@Test
	void aPoolIsChosenForMailAndCannotBeRemovedMeanwhile() {
		Scope tenant = Given.sender("unlimited");
		choose("kind: PLATFORM");
		choose("kind: PLAN, key: \"unlimited\", stream: CAMPAIGN");
		choose("kind: DOMAIN, key: \"" + tenant.domain() + "\", stream: TRANSACTIONAL");
		assertThat(pool("main").path("choices")
			.valueStream()
			.map((choice) -> choice.path("kind").asString() + " " + choice.path("stream").asString()))
			.containsExactly("DOMAIN TRANSACTIONAL", "PLAN CAMPAIGN", "PLATFORM CAMPAIGN", "PLATFORM TRANSACTIONAL");
		assertThat(this.client.userError("operatorRemovePool", "(name: \"main\")")).isEqualTo("invalid_request_data");
		for (String missing : List.of("kind: ACCOUNT, key: \"" + UUID.randomUUID() + "\"",
				"kind: PLAN, key: \"none\"")) {
			assertThat(this.client.userError("operatorChoosePool", "(input: {" + missing + ", pool: \"main\"})"))
				.isEqualTo("not_found");
		}
		for (String invalid : List.of("kind: ACCOUNT, key: \"x\", pool: \"main\"", "kind: ACCOUNT, pool: \"main\"",
				"kind: PLATFORM, pool: \"none\"")) {
			assertThat(this.client.userError("operatorChoosePool", "(input: {" + invalid + "})"))
				.isEqualTo("invalid_request_data");
		}
	}

	@Test
	void tenantsSeeThePoolsOfTheirDomainsMail() {
		Person person = Person.in(this.context);
		UUID domain = Given.domain(person.account());
		Given.run("update account set plan = 'unlimited' where id = '%s'", person.account());
		GraphQl tenant = GraphQl.at(this.port).as(person);
		assertThat(pools(tenant, domain)).isEqualTo("{\"transactionalPool\":null,\"campaignPool\":null}");
		this.client.change("operatorSavePool", "(input: {name: \"bulk\", members: [{source: \"one\"}]})",
				"pool { name }");
		this.client.change("operatorSavePool", "(input: {name: \"own\", members: [{source: \"one\"}]})",
				"pool { name }");
		choose("kind: PLATFORM");
		choose("kind: PLAN, key: \"unlimited\", stream: CAMPAIGN", "bulk");
		assertThat(pools(tenant, domain)).isEqualTo("{\"transactionalPool\":\"main\",\"campaignPool\":\"bulk\"}");
		choose("kind: DOMAIN, key: \"" + domain + "\", stream: CAMPAIGN", "own");
		choose("kind: ACCOUNT, key: \"" + person.account() + "\"", "bulk");
		assertThat(pools(tenant, domain)).isEqualTo("{\"transactionalPool\":\"bulk\",\"campaignPool\":\"own\"}");
	}

	private static String pools(GraphQl tenant, UUID domain) {
		return tenant.data("{ viewer { domain(id: \"" + domain + "\") { transactionalPool campaignPool } } }")
			.path("viewer")
			.path("domain")
			.toString();
	}

	private void choose(String mail) {
		choose(mail, "main");
	}

	private void choose(String mail, String pool) {
		this.client.change("operatorChoosePool", "(input: {" + mail + ", pool: \"" + pool + "\"})", "chosen");
	}

	@Test
	void aWarmUpShowsTheLastSendingDayOfEachProvider() {
		this.client.change("operatorStartSourceWarmup", "(input: {source: \"one\", large: [10, 20]})", "source");
		Given.run("insert into source_warmup_day (source, provider, day, step, allowance, used, over) values "
				+ "('one', 'gmail', '2026-11-20', 1, 10, 10, 0), ('one', 'gmail', '2026-11-21', 2, 20, 5, 1)");
		JsonNode warmup = operator(
				"sendingAddresses { name warmup { provider day step steps allowance used over attempts blocked deferred held } }")
			.path("sendingAddresses")
			.path(0)
			.path("warmup");
		assertThat(warmup.valueStream()
			.map((day) -> day.path("provider").asString() + " " + day.path("step").asInt() + "/"
					+ day.path("steps").asInt() + " " + day.path("used").asInt() + "/" + day.path("allowance").asInt()))
			.startsWith("gmail 2/2 5/20", "microsoft 0/2 0/10")
			.hasSize(5);
		this.client.change("operatorStopSourceWarmup", "(source: \"one\")", "source");
		assertThat(this.client.userError("operatorStopSourceWarmup", "(source: \"one\")")).isEqualTo("not_found");
		assertThat(this.client.userError("operatorStartSourceWarmup", "(input: {source: \"one\", other: [0]})"))
			.isEqualTo("invalid_request_data");
	}

	@Test
	void invalidAddressesAndPoolsAreRefused() {
		for (String input : List.of("name: \"One\", v4: \"127.0.1.1\", helo: \"a.test\"",
				"name: \"a\", helo: \"a.test\"", "name: \"a\", v4: \"::1\", helo: \"a.test\"",
				"name: \"a\", v4: \"host.test\", helo: \"a.test\"", "name: \"a\", v4: \"127.0.1.1\", helo: \"a b\"")) {
			assertThat(this.client.userError("operatorSaveSendingAddress", "(input: {" + input + "})")).as(input)
				.isEqualTo("invalid_request_data");
		}
		for (String input : List.of("members: [{source: \"none\"}]", "members: [{source: \"one\", weight: 101}]",
				"members: [{source: \"one\"}, {source: \"one\"}]", "whenEmpty: FALLBACK, members: []",
				"whenEmpty: FALLBACK, fallbackPool: \"own\", members: []",
				"whenEmpty: FALLBACK, fallbackPool: \"none\", members: []")) {
			assertThat(this.client.userError("operatorSavePool", "(input: {name: \"own\", " + input + "})")).as(input)
				.isEqualTo("invalid_request_data");
		}
	}

	@Test
	void theExplanationNamesPoolAndAddressWithTheirReasons() {
		Scope tenant = Given.sender("unlimited");
		assertThat(steps(tenant)).doesNotContain("POOL", "SOURCE");
		choose("kind: ACCOUNT, key: \"" + tenant.account() + "\"");
		assertThat(steps(tenant)).containsSubsequence("POOL main", "SOURCE none");
		Given.run("insert into source_seen values ('%s', 'two', true, false, now())", UUID.randomUUID());
		assertThat(steps(tenant)).containsSubsequence("TRANSPORT default", "POOL main", "SOURCE two",
				"SITE unknown.test");
		Given.run("insert into source_warmup (source, large, other, started_by, started_at) "
				+ "values ('two', '{1}', '{1}', '%s', now()); insert into source_warmup_day (source, provider, day, step, "
				+ "allowance, used, held) values ('two', 'other', (now() at time zone 'UTC')::date, 1, 1, 1, '')",
				tenant.account());
		assertThat(
				operator("explain(account: \"%s\", domain: \"x.test\", recipient: \"a@unknown.test\") { step reason }"
					.formatted(tenant.account())).toString())
			.contains("Its warm-up permits no more first attempts to the "
					+ "provider other today, and the mail is sent beyond the allowance");
		Given.run("insert into source_seen values ('%s', 'one', true, false, now())", UUID.randomUUID());
		assertThat(steps(tenant)).containsSubsequence("POOL main", "SOURCE one");
	}

	private List<String> steps(Scope tenant) {
		return operator(
				"explain(account: \"%s\", domain: \"shop.test\", recipient: \"a@unknown.test\") { step value reason }"
					.formatted(tenant.account()))
			.path("explain")
			.valueStream()
			.map((step) -> step.path("step").asString() + " " + step.path("value").asString())
			.toList();
	}

	private JsonNode pool(String name) {
		return operator("pools { name whenEmpty fallbackPool usable members { source weight } choices { kind key label "
				+ "stream } }")
			.path("pools")
			.valueStream()
			.filter((pool) -> pool.path("name").asString().equals(name))
			.findFirst()
			.orElseThrow();
	}

	private JsonNode operator(String fields) {
		return this.client.data("{ operator { " + fields + " } }").path("operator");
	}

}
