package dev.mailroom.admin.operator;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
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

/** Profiles of providers, sites with what was learned, and the explanation of a mail. */
@WithAdmin
class ProvidersTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	GraphQl client;

	@BeforeEach
	void learned() {
		this.client = GraphQl.at(this.port).as(Person.operator(this.context));
		Given.run(
				"""
						insert into site_memory (site, profile, pace, paced_at, base_rate, paused_until, pauses, reply, learned_at)
						values ('gmail', 'gmail', 0.25, now() - interval '11 minutes', 100, null, 0, '421 4.7.28 slow', now()),
						       ('yahoo', 'yahoo', 1, now(), 0, now() + interval '5 minutes', 3, '421 4.7.0 [TSS04]', now());
						insert into destination_report select '%s'::uuid, 'mx', name, 2, 5, 'closed', null, 30, 0, 0, 0, 0, 0, now(),
						       'gmail', 'gmail' from unnest(array['a.test', 'b.test']) as name
						""",
				UUID.randomUUID());
	}

	@AfterEach
	void remove() {
		Given.run("delete from site_memory; delete from provider_profile; delete from destination_report");
	}

	@Test
	void operatorsSeeThePaceOfSitesAndForgetIt() {
		JsonNode sites = sites();
		assertThat(sites.path(0).path("site").asString()).isEqualTo("gmail");
		assertThat(sites.path(0).path("pace").asDouble()).isEqualTo(0.35);
		assertThat(sites.path(0).path("domains").asInt()).isEqualTo(2);
		assertThat(sites.path(0).path("connections").asInt()).as("both domains share them").isEqualTo(2);
		assertThat(sites.path(0).path("rate").asInt()).isEqualTo(60);
		assertThat(sites.path(1).path("circuit").asString()).isEqualTo("OPEN");
		assertThat(sites.path(1).path("closedUntil").isNull()).isFalse();
		this.client.change("operatorForgetSite", "(site: \"yahoo\")", "site");
		assertThat(sites().size()).isEqualTo(1);
		assertThat(this.client.userError("operatorForgetSite", "(site: \"yahoo\")")).isEqualTo("not_found");
	}

	@Test
	void operatorsPauseASite() {
		this.client.change("operatorPauseSite", "(input: {site: \"gmail\", reason: \"Incident 7\", until: \"%s\"})"
			.formatted(Instant.now().plusSeconds(600)), "site");
		assertThat(sites().path(0).path("circuit").asString()).isEqualTo("OPEN");
		assertThat(sites().path(0).path("reply").asString()).isEqualTo("Incident 7");
		assertThat(this.client.userError("operatorPauseSite",
				"(input: {site: \"gmail\", reason: \"x\", until: \"%s\"})".formatted(Instant.now().minusSeconds(1))))
			.isEqualTo("invalid_request_data");
	}

	@Test
	void operatorsChangeAProfileFieldByField() {
		this.client.change("operatorSaveProfile",
				"(input: {name: \"gmail\", sessions: 3, rules: [{pattern: \"^421 busy\", action: PAUSE, seconds: 60}]})",
				"profile { sessions mailsPerSession }");
		assertThat(Given
			.rows("select document ->> 'sessions' || coalesce(document ->> 'suffixes', '') from provider_profile"))
			.containsExactly("3");
		JsonNode gmail = profile("gmail");
		assertThat(gmail.path("mailsPerSession").asInt()).isEqualTo(50);
		assertThat(gmail.path("rules").size()).isEqualTo(1);
		this.client.change("operatorResetProfile", "(name: \"gmail\")", "reset");
		assertThat(profile("gmail").path("sessions").asInt()).isEqualTo(10);
		assertThat(this.client.userError("operatorResetProfile", "(name: \"gmail\")")).isEqualTo("not_found");
	}

	@Test
	void slowPatternsAndIncompleteProfilesAreRefused() {
		for (String input : List.of("name: \"gmail\", rules: [{pattern: \"((a{1,100}){1,100})x\", action: SLOW}]",
				"name: \"gmail\", rules: [{pattern: \"(a)\\\\1\", action: SLOW}]", "name: \"own\"", "name: \"Own\"",
				"name: \"gmail\", sessions: 0", "name: \"own\", suffixes: [\"not a name\"]")) {
			assertThat(this.client.userError("operatorSaveProfile", "(input: {" + input + "})")).as(input)
				.isEqualTo("invalid_request_data");
		}
		assertThat(Given.rows("select name from provider_profile")).isEmpty();
	}

	@Test
	void theWayOfAMailIsExplained() {
		JsonNode steps = explain("ann@unknown.test");
		assertThat(steps.valueStream().map((step) -> step.path("step").asString())).containsSubsequence("TRANSPORT",
				"SITE", "PROFILE", "PACE", "CIRCUIT");
		assertThat(steps.valueStream()
			.filter((step) -> step.path("step").asString().equals("SITE"))
			.map((step) -> step.path("value").asString())).containsExactly("unknown.test");
	}

	@Test
	void thePaceAndTheCircuitOfASiteAreExplainedEachWithItsOwnReason() {
		assertThat(explained("PACE", "ann@a.test")).isEqualTo("100 %: No reply slows the site.");
		this.client.change("operatorPauseSite", "(input: {site: \"a.test\", reason: \"Incident 7\", until: \"%s\"})"
			.formatted(Instant.now().plusSeconds(600)), "site");
		assertThat(explained("PACE", "ann@a.test")).isEqualTo("100 %: No reply slows the site.");
		assertThat(explained("CIRCUIT", "ann@a.test"))
			.matches("open: No session is open; nothing is sent until .* UTC\\. Learned last: Incident 7");
	}

	@Test
	void thePolicyAboutTlsIsExplainedWithTheResultOfTheLastSession() {
		Given.run("insert into dane_seen values ('dane.test', now() + interval '1 day', 'verified'), "
				+ "('both.test', now() + interval '1 day', 'refused'), ('old.test', now(), 'verified'); "
				+ "insert into mta_sts_policy select name, 'a', 'enforce', '{mx.sts.test}', 86400, now(), 'enforced' "
				+ "from unnest(array['sts.test', 'both.test']) as name");
		try {
			assertThat(tlsPolicy("dane.test")).startsWith("dane: ").endsWith("The last session: verified.");
			assertThat(tlsPolicy("both.test")).startsWith("dane: ").endsWith("The last session: refused.");
			assertThat(tlsPolicy("sts.test")).startsWith("mta_sts: ").endsWith("The last session: enforced.");
			assertThat(tlsPolicy("old.test")).startsWith("none: ");
			assertThat(this.client.data("{ operator { tlsPolicies { domain policy mode result until } } }")
				.path("operator")
				.path("tlsPolicies")
				.valueStream()
				.map((shown) -> "%s %s %s %s".formatted(shown.path("domain").asString(),
						shown.path("policy").asString(), shown.path("mode").asString("-"),
						shown.path("result").asString())))
				.containsExactly("both.test dane - refused", "both.test mta_sts enforce enforced",
						"dane.test dane - verified", "sts.test mta_sts enforce enforced");
		}
		finally {
			Given.run("delete from dane_seen; delete from mta_sts_policy");
		}
	}

	private String tlsPolicy(String recipient) {
		return explained("TLS_POLICY", recipient);
	}

	private String explained(String wanted, String recipient) {
		return explain(recipient).valueStream()
			.filter((step) -> step.path("step").asString().equals(wanted))
			.map((step) -> step.path("value").asString() + ": " + step.path("reason").asString())
			.findFirst()
			.orElseThrow();
	}

	private JsonNode explain(String recipient) {
		String account = Given.rows("select id from account limit 1").getFirst();
		return this.client
			.data("{ operator { explain(account: \"%s\", domain: \"shop.test\", stream: CAMPAIGN, recipient: \"%s\") "
				.formatted(account, recipient) + "{ step value reason } } }")
			.path("operator")
			.path("explain");
	}

	private JsonNode sites() {
		return this.client
			.data("{ operator { sites { site profile domains connections connectionLimit circuit closedUntil rate pace "
					+ "pauses reply learnedAt } } }")
			.path("operator")
			.path("sites");
	}

	private JsonNode profile(String name) {
		return this.client.data(
				"{ operator { providerProfiles { name suffixes sessions mailsPerSession rules { pattern action seconds "
						+ "page } } } }")
			.path("operator")
			.path("providerProfiles")
			.valueStream()
			.filter((profile) -> profile.path("name").asString().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
