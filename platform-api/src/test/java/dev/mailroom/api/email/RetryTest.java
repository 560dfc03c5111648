package dev.mailroom.api.email;

import java.time.Instant;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/** A retry repeats the first response even if its body is no longer valid. */
@WithApi
@Execution(ExecutionMode.CONCURRENT)
class RetryTest {

	@Autowired
	Client client;

	@Autowired
	ApiKeys keys;

	private final Scope scope = Given.sender("free");

	private String key;

	@BeforeEach
	void make() {
		this.key = this.keys.create(Scope.of(this.scope.account()), this.scope.domain(), "key", null).block().text();
	}

	@Test
	void aRetryWhoseTimeHasPassedRepeatsTheResponse() {
		Instant at = Instant.now().plusSeconds(4);
		String first = send("late", at, 200).getResponseBody();
		EntityExchangeResult<String> retry;
		do {
			retry = send("late", at, 200);
			assertThat(retry.getResponseBody()).isEqualTo(first);
		}
		while (Instant.now().isBefore(at.plusSeconds(1)));
		assertThat(retry.getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
		assertThat(send("later", at, 400).getResponseBody()).contains("Validation error", "send_at");
		send("later", Instant.now().plusSeconds(60), 200);
	}

	private EntityExchangeResult<String> send(String idempotencyKey, Instant at, int status) {
		return this.client.web()
			.post()
			.uri("/api/emails")
			.headers((headers) -> headers.setBearerAuth(this.key))
			.header("Idempotency-Key", idempotencyKey)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("""
					{"from":"a@%s.test","to":["c@d.test"],"subject":"s","text":"t","send_at":"%s"}"""
				.formatted(this.scope.domain(), at))
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectBody(String.class)
			.returnResult();
	}

}
