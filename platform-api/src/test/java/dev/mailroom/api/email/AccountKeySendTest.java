package dev.mailroom.api.email;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.security.AccountKeys;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mail sent with the keys of accounts and with keys for the sandbox, ahead of the filters
 * and through them.
 */
@WithApi
class AccountKeySendTest {

	private static final String SANDBOX = "delivered@simulator.mailroom.localhost";

	@Autowired
	Client client;

	@Autowired
	ApiKeys keys;

	private final UUID account = Given.account("free");

	private final UUID first = Given.domain(this.account);

	private final UUID second = Given.domain(this.account);

	@Test
	void aKeyOfTheAccountSendsFromEachOfItsVerifiedDomains() {
		String key = key("emails.send");
		for (UUID domain : new UUID[] { this.first, this.second }) {
			String id = JsonPath.read(answer("ok", key, mail(domain, "b@c.test")), "$.id");
			assertThat(Given.rows("select email.domain_id from email join api_key on api_key.id = api_key_id "
					+ "where email.id = '%s'", id))
				.containsExactly(domain.toString());
		}
	}

	@Test
	void itsMailIsRefusedWithTheErrorsOfOtherKeys() {
		String key = key("send");
		answer("From domain mismatch", key, mail(UUID.randomUUID(), "b@c.test"));
		answer("From domain mismatch", key, mail(Given.domain(Given.account("free")), "b@c.test"));
		Given.run("update domain set status = 'failed' where id = '%s'", this.second);
		answer("Domain not verified", key, mail(this.second, "b@c.test"));
		answer("ok", key, mail(this.first, "b@c.test"));
		Given.run("update account set paused_reason = 'bounces' where id = '%s'", this.account);
		answer("Account paused", key, mail(UUID.randomUUID(), "b@c.test"));
		Given.run("update account set email_verified_at = null where id = '%s'", this.account);
		answer("Email not verified", key, mail(UUID.randomUUID(), "b@c.test"));
		answer("Validation error", key, "{}");
	}

	@Test
	void eachMailOfABatchHasItsOwnDomain() {
		UUID pending = Given.domain(this.account);
		Given.run("update domain set status = 'pending' where id = '%s'", pending);
		String batch = "[" + String.join(",", mail(this.second, "b@c.test"), mail(pending, "b@c.test"), "{}",
				mail(UUID.randomUUID(), "b@c.test"), mail(this.first, "b@c.test")) + "]";
		String body = text(send(key("emails.send"), "/api/emails/batch", batch).expectStatus().isOk());
		assertThat(JsonPath.<List<String>>read(body, "$.data[*].error.error")).containsExactly("Domain not verified",
				"Validation error", "From domain mismatch");
		assertThat(Given.rows("select domain_id from email where account_id = '%s'", this.account))
			.containsExactlyInAnyOrder(this.second.toString(), this.first.toString());
		sendUnverified(batch);
	}

	private void sendUnverified(String batch) {
		Given.run("update account set email_verified_at = null where id = '%s'", this.account);
		String key = key("emails.send");
		send(key, "/api/emails/batch", batch).expectStatus().isForbidden();
		send(key, "/api/emails/batch", "[{}]").expectStatus().isForbidden();
	}

	@Test
	void aSandboxKeySendsToTheSandboxOnly() {
		for (String key : new String[] { key("emails.sandbox"), domainKey() }) {
			answer("ok", key, mail(this.first, SANDBOX));
			answer("ok", key, mail(this.first, "Bounced+1@Simulator.Mailroom.Localhost"));
			String refused = answer("Forbidden", key, mail(this.first, "b@c.test"));
			assertThat(JsonPath.<String>read(refused, "$.message")).contains("simulator.mailroom.localhost",
					"b@c.test");
			String hidden = mail(this.first, SANDBOX).replace("\"subject\"", "\"bcc\":[\"b@c.test\"],\"subject\"");
			answer("Forbidden", key, hidden);
			answer("Forbidden", key, mail(this.first, "b@not-simulator.mailroom.localhost"));
			String body = text(send(key, "/api/emails/batch",
					"[" + mail(this.first, SANDBOX) + "," + mail(this.first, "b@c.test") + "]")
				.expectStatus()
				.isOk());
			assertThat(JsonPath.<Integer>read(body, "$.data[1].error.statusCode")).isEqualTo(403);
			assertThat(JsonPath.<String>read(body, "$.data[1].error.error")).isEqualTo("Forbidden");
			assertThat(JsonPath.<String>read(body, "$.data[0].emailId")).isNotNull();
		}
		assertThat(Given.rows("select count(*) from delivery where account_id = '%s' and recipient = 'b@c.test'",
				this.account))
			.containsExactly("0");
	}

	@Test
	void aSandboxKeyChangesNoMail() {
		String id = JsonPath.read(answer("ok", key("emails.send"), mail(this.first, "b@c.test")), "$.id");
		this.client.send(HttpMethod.POST, key("emails.sandbox"), "/api/emails/" + id + "/cancel", "{}")
			.expectStatus()
			.isForbidden();
	}

	@Test
	void aKeyThatMaySendIsNotLimitedByThePermissionForTheSandbox() {
		answer("ok", key("emails.sandbox", "emails.send"), mail(this.first, "b@c.test"));
	}

	/** Sends a mail in both ways, which have the same answer. */
	private String answer(String error, String key, String mail) {
		String direct = body(error,
				this.client.web()
					.post()
					.uri("/api/emails")
					.headers((headers) -> headers.setBearerAuth(key))
					.header("Origin", "http://localhost")
					.contentType(MediaType.APPLICATION_JSON)
					.bodyValue(mail)
					.exchange());
		body(error, send(key, "/api/emails", mail));
		return direct;
	}

	private static String body(String error, WebTestClient.ResponseSpec response) {
		EntityExchangeResult<byte[]> result = response.expectBody().returnResult();
		String body = new String(result.getResponseBody(), StandardCharsets.UTF_8);
		if (error.equals("ok")) {
			assertThat(result.getStatus().value()).as(body).isEqualTo(200);
		}
		else {
			assertThat(JsonPath.<String>read(body, "$.error")).as(body).isEqualTo(error);
		}
		return body;
	}

	private WebTestClient.ResponseSpec send(String key, String path, String body) {
		return this.client.send(HttpMethod.POST, key, path, body);
	}

	private String key(String... permissions) {
		return AccountKeys.of(this.keys, this.account, permissions).text();
	}

	private String domainKey() {
		return new EmailClient(this.client, this.keys).key(this.account, this.first, "emails.sandbox");
	}

	private static String mail(UUID domain, String recipient) {
		return "{\"from\":\"a@%s.test\",\"to\":[\"%s\"],\"subject\":\"s\",\"text\":\"x\"}".formatted(domain, recipient);
	}

	private static String text(WebTestClient.ResponseSpec response) {
		return new String(response.expectBody().returnResult().getResponseBody(), StandardCharsets.UTF_8);
	}

}
