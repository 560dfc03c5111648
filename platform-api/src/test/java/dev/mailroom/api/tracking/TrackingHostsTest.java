package dev.mailroom.api.tracking;

import java.net.URI;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.tracking.Links;
import dev.mailroom.trackingdomain.TrackingNames;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class TrackingHostsTest {

	private static final String ROUTE = "/api/tracking-domains";

	private static final String NONCE = "0123456789abcdef0123456789abcdef";

	@LocalServerPort
	int port;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Autowired
	Person stranger;

	@Autowired
	Links links;

	@Autowired
	TrackingNames names;

	@Autowired
	CertificateQuestion question;

	private UUID domain;

	private String name;

	private String id;

	@BeforeEach
	void createName() {
		this.domain = Given.domain(this.person.account());
		this.name = "links." + this.domain + ".test";
		this.client
			.send(HttpMethod.POST, this.person.token(), ROUTE,
					"{\"name\": \"%s\", \"domain_id\": \"%s\"}".formatted(this.name, this.domain))
			.expectStatus()
			.isCreated()
			.expectBody()
			.jsonPath("$.data.trackingDomain.id")
			.value(String.class, (it) -> this.id = it)
			.jsonPath("$.data.trackingDomain.state")
			.isEqualTo("pending")
			.jsonPath("$.data.trackingDomain.record.value")
			.isEqualTo("links.platform.test");
	}

	@Test
	void namesAreListedCheckedAndDeletedByTheirOwnerOnly() {
		this.client.get(this.person.token(), ROUTE)
			.expectBody()
			.jsonPath("$.data.trackingDomains.length()")
			.isEqualTo(1)
			.jsonPath("$.data.trackingDomains[0].name")
			.isEqualTo(this.name);
		this.client.call(HttpMethod.POST, this.stranger.token(), ROUTE + "/" + this.id + "/verify")
			.expectStatus()
			.isNotFound();
		this.client.call(HttpMethod.DELETE, this.stranger.token(), ROUTE + "/" + this.id).expectStatus().isNotFound();
		this.client.call(HttpMethod.POST, this.person.token(), ROUTE + "/" + this.id + "/verify").expectStatus().isOk();
		this.client
			.send(HttpMethod.POST, this.person.token(), ROUTE,
					"{\"name\": \"%s\", \"domain_id\": \"%s\"}".formatted(this.name, this.domain))
			.expectStatus()
			.isEqualTo(409);
		this.client.call(HttpMethod.DELETE, this.person.token(), ROUTE + "/" + this.id).expectStatus().isOk();
		this.client.get(this.person.token(), ROUTE)
			.expectBody()
			.jsonPath("$.data.trackingDomains.length()")
			.isEqualTo(0);
	}

	@Test
	void aNameServesTheLinksOfItsAccountAndNothingElse() {
		String own = path(this.links.unsubscribeUrl(this.person.account(), UUID.randomUUID()));
		String foreign = path(this.links.unsubscribeUrl(this.stranger.account(), UUID.randomUUID()));
		ask(this.name, own).expectStatus().isOk().expectHeader().doesNotExist("Set-Cookie");
		ask(this.name, own + "/preferences").expectStatus().isOk();
		ask(this.name + ":8443", own).expectStatus().isOk();
		ask(this.name, foreign).expectStatus().isNotFound();
		ask(this.name, foreign + "/preferences").expectStatus().isNotFound();
		ask("localhost", foreign).expectStatus().isOk();
		for (String other : new String[] { "/", "/api/domains", "/openapi.json", "/docs", "/.well-known/jwks.json",
				"/u/x", "/t/o/", "/t/../api/domains" }) {
			ask(this.name, other).expectStatus()
				.value((status) -> assertThat(status).as(other).isBetween(400, 404))
				.expectHeader()
				.doesNotExist("Access-Control-Allow-Origin");
		}
	}

	@Test
	void oneClickWorksBelowTheName() {
		web().post()
			.uri(path(this.links.unsubscribeUrl(this.person.account(), UUID.randomUUID())))
			.header("Host", this.name)
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.bodyValue("List-Unsubscribe=One-Click")
			.exchange()
			.expectStatus()
			.isOk();
	}

	@Test
	void mailIsNotAcceptedBelowTheName() {
		for (int i = 0; i < 2; i++) {
			web().post()
				.uri("/api/emails")
				.header("Host", this.name)
				.header("Authorization", "Bearer ek_x")
				.contentType(MediaType.APPLICATION_JSON)
				.bodyValue("{}")
				.exchange()
				.expectStatus()
				.isNotFound();
		}
	}

	@Test
	void theCheckGetsAnAnswerThatDependsOnTheNonceAndTheName() {
		String path = TrackingNames.PROOF_PATH + NONCE;
		assertThat(ask(this.name, path).expectStatus().isOk().expectBody(String.class).returnResult().getResponseBody())
			.isEqualTo(this.names.proof(this.name, NONCE))
			.isNotEqualTo(this.names.proof("other.test", NONCE));
		ask("localhost", path).expectStatus().isNotFound();
		ask(this.name, TrackingNames.PROOF_PATH + "x").expectStatus().isNotFound();
	}

	@Test
	void theNameOfAHostedPolicyServesThePolicyAndNoLinks() {
		String policy = "mta-sts." + this.domain + ".test";
		Given.run("insert into hosted_policy values ('%2$s', '%1$s', 'enforce', now()); insert into tracking_domain "
				+ "(id, account_id, domain_id, name, created_at, policy) values (gen_random_uuid(), '%1$s', '%2$s', '%3$s', "
				+ "now(), true)", this.person.account(), this.domain, policy);
		assertThat(ask(policy, TrackingNames.POLICY_PATH).expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody()).startsWith("version: STSv1\r\nmode: enforce\r\nmx: ");
		ask(policy, path(this.links.unsubscribeUrl(this.person.account(), UUID.randomUUID()))).expectStatus()
			.isNotFound();
		ask(this.name, TrackingNames.POLICY_PATH).expectStatus().isNotFound();
		ask("localhost", TrackingNames.POLICY_PATH).expectStatus().isNotFound();
		String route = "/api/domains/" + this.domain + "/mta-sts";
		this.client.get(this.person.token(), route)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.mta_sts.mode")
			.isEqualTo("enforce")
			.jsonPath("$.data.mta_sts.records[0].host")
			.isEqualTo(policy);
		this.client.send(HttpMethod.PUT, this.person.token(), route, "{\"mode\": \"testing\"}")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.mta_sts.mode")
			.isEqualTo("testing");
		this.client.call(HttpMethod.DELETE, this.person.token(), route).expectStatus().isOk();
		this.client.send(HttpMethod.PUT, this.person.token(), route, "{\"mode\": \"testing\"}")
			.expectStatus()
			.isEqualTo(409)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Policy not possible");
		this.client.get(this.stranger.token(), route).expectStatus().isNotFound();
	}

	@Test
	void proxiesMayOrderACertificateOnceDnsLeadsHere() {
		assertThat(answer(this.name, null)).isEqualTo(404);
		String other = "other." + this.domain + ".test";
		Given.run(
				"insert into tracking_domain (id, account_id, domain_id, name, state, created_at) values "
						+ "(gen_random_uuid(), '%s', '%s', '%s', 'dns_ok', now())",
				this.person.account(), this.domain, other);
		assertThat(answer(other, null)).isEqualTo(200);
		assertThat(answer(null, other)).isEqualTo(200);
		assertThat(answer("unknown.test", null)).isEqualTo(404);
		assertThat(answer(null, null)).isEqualTo(404);
	}

	/** A client without the contract, which describes the shared name. */
	private WebTestClient web() {
		return WebTestClient.bindToServer().baseUrl("http://localhost:" + this.port).build();
	}

	private int answer(String name, String domain) {
		return this.question.ask(name, domain).block().getStatus();
	}

	private WebTestClient.ResponseSpec ask(String host, String path) {
		return web().get().uri(path).header("Host", host).header("Origin", "https://app.test").exchange();
	}

	private static String path(String url) {
		return URI.create(url).getRawPath();
	}

}
