package dev.mailroom.api.email;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A new account with a verified domain and a key that may send. */
final class EmailClient {

	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	final UUID account = Given.account("free");

	final UUID domain = Given.domain(this.account);

	private final ApiKeys keys;

	private final Client client;

	private final String key;

	EmailClient(Client client, ApiKeys keys) {
		this.keys = keys;
		this.client = client;
		this.key = key(this.account, this.domain, "send");
	}

	String key(UUID account, UUID domain, String permission) {
		return this.keys.create(Scope.of(account), domain, UUID.randomUUID().toString(), List.of(permission))
			.block(TIMEOUT)
			.text();
	}

	/** The name of the domain. */
	String name() {
		return this.domain + ".test";
	}

	/** The body of a mail with further fields. */
	String mail(String more) {
		return "{\"from\":\"Ann <a@" + name() + ">\",\"to\":[\"b@c.test\"],\"subject\":\"s\",\"text\":\"x\""
				+ (more.isEmpty() ? "" : "," + more) + "}";
	}

	/** Sends a mail and returns its id. */
	String sent(String body) {
		Map<?, ?> response = post("/emails", body).expectStatus()
			.isOk()
			.expectBody(Map.class)
			.returnResult()
			.getResponseBody();
		return String.valueOf(response.get("id"));
	}

	WebTestClient.ResponseSpec get(String path) {
		return get(path, this.key);
	}

	WebTestClient.ResponseSpec get(String path, String credential) {
		return this.client.get(credential, "/api" + path);
	}

	WebTestClient.ResponseSpec patch(String path, String body) {
		return this.client.send(HttpMethod.PATCH, this.key, "/api" + path, body);
	}

	WebTestClient.ResponseSpec post(String path, String body) {
		return post(path, body, this.key);
	}

	WebTestClient.ResponseSpec post(String path, String body, String credential) {
		return this.client.send(HttpMethod.POST, credential, "/api" + path, body);
	}

	/** Sends a mail with an idempotency key. */
	WebTestClient.ResponseSpec keyed(String body, String idempotencyKey) {
		return this.client.web()
			.post()
			.uri("/api/emails")
			.headers((headers) -> headers.setBearerAuth(this.key))
			.header("Idempotency-Key", idempotencyKey)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange();
	}

}
