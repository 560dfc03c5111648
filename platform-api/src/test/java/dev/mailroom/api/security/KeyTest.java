package dev.mailroom.api.security;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.domain.Domains;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class KeyTest {

	@Autowired
	ApiKeys keys;

	@Autowired
	Domains domains;

	@Autowired
	Client client;

	@ParameterizedTest
	@CsvSource({ "GET,/api/emails/logs,emails.read", "GET,/api/emails/x,emails.read",
			"GET,/api/emails/x/events,emails.read", "GET,/api/inbound,inbound.read", "GET,/api/inbound/x,inbound.read",
			"GET,/api/analytics/reputation-metrics,analytics.read", "POST,/api/emails,emails.send",
			"POST,/api/emails/batch,emails.send", "PATCH,/api/emails/x,emails.send",
			"POST,/api/emails/x/cancel,emails.send" })
	void aPermissionOpensItsRoutesAndSendOpensAll(HttpMethod method, String path, String permission) {
		for (String held : List.of("send", "emails.send", "emails.read", "inbound.read", "analytics.read")) {
			int status = status(this.client.call(method, key(held), path));
			if (held.equals(permission) || held.equals("send")) {
				assertThat(status).as(held).isNotIn(401, 403, 500);
			}
			else {
				assertThat(status).as(held).isEqualTo(403);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "GET,/api/auth/me", "PATCH,/api/auth/me", "GET,/api/api-keys", "POST,/api/api-keys",
			"GET,/api/domains", "GET,/api/nowhere", "DELETE,/api/emails/x", "PUT,/api/emails" })
	void routesForPersonsAreForbiddenToKeys(HttpMethod method, String path) {
		this.client.call(method, key("send"), path)
			.expectStatus()
			.isForbidden()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Forbidden");
	}

	@Test
	void mistypedKeysAreRejected() {
		String key = key("send");
		this.client.get(key, "/api/emails/logs").expectStatus().isOk();
		TokenTest.unauthorized(this.client.get(key + "x", "/api/emails/logs"));
		TokenTest.unauthorized(this.client.get(key.substring(0, key.length() - 1), "/api/emails/logs"));
		TokenTest.unauthorized(this.client.get(key.toUpperCase(Locale.ROOT), "/api/emails/logs"));
		TokenTest.unauthorized(this.client.get("ek_" + "a".repeat(12) + "_" + "b".repeat(49), "/api/emails/logs"));
	}

	@Test
	void aRevokedKeyIsRejectedImmediately() {
		UUID account = Given.account("unlimited");
		ApiKey.Issued issued = issue(account, Given.domain(account), "send");
		this.client.get(issued.text(), "/api/emails/logs").expectStatus().isOk();
		await(this.keys.delete(Scope.of(account), issued.key().id()));
		TokenTest.unauthorized(this.client.get(issued.text(), "/api/emails/logs"));
	}

	@Test
	void theKeysOfADeletedDomainAreRejectedImmediately() {
		UUID account = Given.account("unlimited");
		UUID domain = Given.domain(account);
		String key = issue(account, domain, "send").text();
		this.client.get(key, "/api/emails/logs").expectStatus().isOk();
		await(this.domains.delete(Scope.of(account), domain));
		TokenTest.unauthorized(this.client.get(key, "/api/emails/logs"));
	}

	@Test
	void aKeyRevokedOnAnotherInstanceIsRejectedWithinFiveSeconds() {
		String key = key("send");
		this.client.get(key, "/api/emails/logs").expectStatus().isOk();
		Given.run("delete from api_key where prefix = '%s'", key.substring(0, 15));
		until("the key is rejected", Duration.ofSeconds(5),
				() -> status(this.client.get(key, "/api/emails/logs")) == 401);
	}

	private String key(String permission) {
		UUID account = Given.account("unlimited");
		return issue(account, Given.domain(account), permission).text();
	}

	private ApiKey.Issued issue(UUID account, UUID domain, String permission) {
		return await(this.keys.create(Scope.of(account), domain, "a key", List.of(permission)));
	}

	private static int status(WebTestClient.ResponseSpec answer) {
		return answer.expectBody().returnResult().getStatus().value();
	}

}
