package dev.mailroom.api.webhook;

import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.event.EventKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
@Execution(ExecutionMode.CONCURRENT)
class WebhookRoutesTest {

	private static final String ENDPOINTS = "/api/webhooks/endpoints";

	private static final String VALID = """
			{"url":"https://example.com/hooks?x=1","events":["email.delivered","email.bounced","email.delivered"]}
			""";

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void anEndpointIsCreatedWithItsSecretWhichIsNotShownAgain() {
		String created = text(post(ENDPOINTS, VALID).expectStatus().isCreated());
		String secret = JsonPath.read(created, "$.data.endpoint.secret");
		assertThat(secret).startsWith("whsec_");
		assertThat(Base64.getDecoder().decode(secret.substring(6))).hasSize(32);
		assertThat(JsonPath.<Boolean>read(created, "$.data.endpoint.active")).isTrue();
		assertThat(created).contains("\"success\":true", "\"events\":[\"email.delivered\",\"email.bounced\"]",
				"\"created_at\"");
		String id = JsonPath.read(created, "$.data.endpoint.id");
		String listed = text(get(ENDPOINTS).expectStatus().isOk());
		String shown = text(get(ENDPOINTS + "/" + id).expectStatus().isOk());
		assertThat(JsonPath.<String>read(listed, "$.data.endpoints[0].id")).isEqualTo(id);
		assertThat(JsonPath.<String>read(shown, "$.data.endpoint.url")).isEqualTo("https://example.com/hooks?x=1");
		assertThat(listed + shown).contains("\"created_at\"").doesNotContain("secret", "whsec");
		assertThat(Given.rows("select encode(sealed_secret, 'escape') from webhook_endpoint where id = '%s'", id)
			.getFirst()).doesNotContain(secret.substring(6));
	}

	@Test
	void putChangesActivationUrlAndEvents() {
		String path = endpoint();
		String changed = text(put(path, "{\"active\":false}").expectStatus().isOk());
		assertThat(JsonPath.<Map<String, Object>>read(changed, "$.data.endpoint").keySet())
			.containsExactlyInAnyOrder("id", "url", "events", "active");
		assertThat(JsonPath.<Boolean>read(changed, "$.data.endpoint.active")).isFalse();
		put(path, "{\"url\":\"https://example.org/\",\"events\":[\"webhook.test\"]}").expectBody()
			.jsonPath("$.data.endpoint.url")
			.isEqualTo("https://example.org/")
			.jsonPath("$.data.endpoint.events.length()")
			.isEqualTo(1)
			.jsonPath("$.data.endpoint.active")
			.isEqualTo(false);
		for (String body : new String[] { "{}", "{\"active\":null}", "{\"active\":\"yes\"}", "{\"active\":1}", "[]", "",
				"{\"active\":true,\"events\":[]}", "{\"active\":true,\"url\":\"ftp://a.b\"}" }) {
			refused(put(path, body), 400, "Invalid request data");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"url\":\"https://example.com\"}", "{\"events\":[\"email.sent\"]}",
			"{\"url\":\"https://example.com\",\"events\":[]}",
			"{\"url\":\"https://example.com\",\"events\":[\"email.eaten\"]}",
			"{\"url\":\"https://example.com\",\"events\":[null]}",
			"{\"url\":\"https://example.com\",\"events\":\"email.sent\"}", "{\"url\":5,\"events\":[\"email.sent\"]}",
			"{\"url\":\"http://example.com\",\"events\":[\"email.sent\"]}",
			"{\"url\":\"https://localhost/x\",\"events\":[\"email.sent\"]}",
			"{\"url\":\"/hooks\",\"events\":[\"email.sent\"]}", "[]", "nonsense" })
	void anInvalidEndpointIsRefused(String body) {
		refused(post(ENDPOINTS, body), 400, "Invalid request data");
		get(ENDPOINTS).expectBody().jsonPath("$.data.endpoints.length()").isEqualTo(0);
	}

	@Test
	void aNewSecretIsShownOnce() {
		String created = text(post(ENDPOINTS, VALID));
		String path = ENDPOINTS + "/" + JsonPath.<String>read(created, "$.data.endpoint.id");
		String rotated = text(post(path + "/rotate-secret").expectStatus().isOk());
		assertThat(JsonPath.<String>read(rotated, "$.data.endpoint.secret")).startsWith("whsec_")
			.isNotEqualTo(JsonPath.<String>read(created, "$.data.endpoint.secret"));
		assertThat(text(get(path))).doesNotContain("whsec_");
	}

	@Test
	void theHeadersOfSvixAreASettingThatIsShownOnlyIfItIsOn() {
		String path = endpoint();
		assertThat(text(get(path))).doesNotContain("headers");
		for (String shown : List.of(text(put(path, "{\"headers\":\"svix\"}").expectStatus().isOk()), text(get(path)),
				text(get(ENDPOINTS)))) {
			assertThat(shown).contains("\"headers\":\"svix\"");
		}
		assertThat(text(put(path, "{\"active\":true}"))).contains("\"headers\":\"svix\"");
		assertThat(text(put(path, "{\"headers\":\"standard\"}"))).doesNotContain("headers");
		refused(put(path, "{\"headers\":\"other\"}"), 400, "Invalid request data");
	}

	@Test
	void aTestIsQueuedListedAndQueuedAgainOnRequest() {
		String path = endpoint();
		String queued = text(post(path + "/test").expectStatus().isOk());
		assertThat(JsonPath.<String>read(queued, "$.data.delivery.type")).isEqualTo("webhook.test");
		assertThat(JsonPath.<String>read(queued, "$.data.delivery.status")).isEqualTo("pending");
		get(path + "/deliveries").expectBody()
			.jsonPath("$.data.deliveries[0].id")
			.isEqualTo(JsonPath.<String>read(queued, "$.data.delivery.id"))
			.jsonPath("$.data.deliveries[0].attempts")
			.isEqualTo(0)
			.jsonPath("$.data.deliveries[0].next_attempt_at")
			.isNotEmpty()
			.jsonPath("$.data.pagination.total")
			.isEqualTo(1);
		post("/api/webhooks/deliveries/" + JsonPath.<String>read(queued, "$.data.delivery.id") + "/redeliver")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.delivery.status")
			.isEqualTo("pending");
		refused(get(path + "/deliveries?limit=101"), 400, "Invalid request data");
	}

	@Test
	void onlyAShownEndpointHasItsReasonAndTimeOfFailure() {
		String path = endpoint();
		get(path).expectBody()
			.jsonPath("$.data.endpoint.disabled_reason")
			.isEqualTo(null)
			.jsonPath("$.data.endpoint.failing_since")
			.isEqualTo(null);
		String id = path.substring(path.lastIndexOf('/') + 1);
		Given.run("update webhook_endpoint set active = false, disabled_reason = 'gone', disabled_at = now() "
				+ "where id = '%s'", id);
		Given.run("update webhook_state set failures = 3, failing_since = now() where endpoint_id = '%s'", id);
		get(path).expectBody()
			.jsonPath("$.data.endpoint.disabled_reason")
			.isEqualTo("gone")
			.jsonPath("$.data.endpoint.failing_since")
			.isNotEmpty();
		assertThat(text(get(ENDPOINTS))).doesNotContain("disabled_reason", "failing_since");
		assertThat(text(put(path, "{\"active\":true}").expectStatus().isOk())).doesNotContain("disabled_reason");
		get(path).expectBody()
			.jsonPath("$.data.endpoint.disabled_reason")
			.isEqualTo(null)
			.jsonPath("$.data.endpoint.failing_since")
			.isEqualTo(null);
	}

	@Test
	void deliveriesAreListedWithTheirAttempts() {
		String path = endpoint();
		String queued = text(post(path + "/test"));
		assertThat(JsonPath.<List<Object>>read(queued, "$.data.delivery.attempt_log")).isEmpty();
		String delivery = JsonPath.read(queued, "$.data.delivery.id");
		Given
			.run("insert into webhook_attempt (id, account_id, delivery_id, status, answer, error, took_ms, attempted_at) "
					+ "select gen_random_uuid(), account_id, id, 500, 'oops', 'The endpoint responded with 500', 12, now() "
					+ "from webhook_delivery where id = '%s'", delivery);
		String listed = text(get(path + "/deliveries"));
		Map<String, Object> attempt = JsonPath.read(listed, "$.data.deliveries[0].attempt_log[0]");
		assertThat(attempt.keySet()).containsExactlyInAnyOrder("status", "answer", "error", "took_ms", "attempted_at");
		assertThat(attempt).containsEntry("status", 500)
			.containsEntry("answer", "oops")
			.containsEntry("error", "The endpoint responded with 500")
			.containsEntry("took_ms", 12);
	}

	@Test
	void theFailedDeliveriesOfAPeriodAreRecovered() {
		String path = endpoint();
		String delivery = JsonPath.read(text(post(path + "/test")), "$.data.delivery.id");
		Given.run("update webhook_delivery set status = 'failed', attempt = 10, settled_at = now() where id = '%s'",
				delivery);
		post(path + "/recover", "{\"since\":\"2026-01-01T00:00:00Z\"}").expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.count")
			.isEqualTo(1)
			.jsonPath("$.data.more")
			.isEqualTo(false);
		get(path + "/deliveries").expectBody()
			.jsonPath("$.data.deliveries[0].status")
			.isEqualTo("pending")
			.jsonPath("$.data.deliveries[0].attempts")
			.isEqualTo(0);
		for (String body : new String[] { "{}", "{\"since\":null}", "{\"since\":\"now\"}", "{\"since\":5}", "[]", "",
				"{\"since\":\"2999-01-01T00:00:00Z\"}",
				"{\"since\":\"2026-01-02T00:00:00Z\",\"until\":\"2026-01-01T00:00:00Z\"}" }) {
			refused(post(path + "/recover", body), 400, "Invalid request data");
		}
		Person other = Person.in(this.context);
		refused(this.client.send(HttpMethod.POST, other.token(), path + "/recover",
				"{\"since\":\"2026-01-01T00:00:00Z\"}"), 404, "Webhook endpoint not found");
	}

	@Test
	void eachKindOfEventHasAnExample() {
		String types = text(get("/api/webhooks/event-types").expectStatus().isOk());
		assertThat(JsonPath.<List<String>>read(types, "$.data.event_types[*].type"))
			.containsExactly(Arrays.stream(EventKind.values()).map(EventKind::contractName).toArray(String[]::new));
		assertThat(JsonPath.<List<String>>read(types, "$.data.event_types[*].example.type"))
			.isEqualTo(JsonPath.<List<String>>read(types, "$.data.event_types[*].type"));
		assertThat(JsonPath.<List<String>>read(types, "$.data.event_types[*].example.api_version"))
			.hasSize(EventKind.values().length);
		assertThat(JsonPath.<List<String>>read(types, "$.data.event_types[*].description")).doesNotContain("");
	}

	@Test
	void deliveriesAreReadByCursor() {
		String path = endpoint();
		String older = JsonPath.read(text(post(path + "/test")), "$.data.delivery.id");
		post(path + "/test");
		String first = text(get(path + "/deliveries?limit=1"));
		get(path + "/deliveries?limit=1&cursor=" + JsonPath.<String>read(first, "$.data.pagination.next_cursor"))
			.expectBody()
			.jsonPath("$.data.deliveries[0].id")
			.isEqualTo(older)
			.jsonPath("$.data.pagination.next_cursor")
			.doesNotExist();
	}

	@Test
	void aTestWithAnIdempotencyKeyIsQueuedOnce() {
		String path = endpoint();
		for (int i = 0; i < 2; i++) {
			this.client.web()
				.post()
				.uri(path + "/test")
				.headers((headers) -> headers.setBearerAuth(this.person.token()))
				.header("Idempotency-Key", "once")
				.exchange()
				.expectStatus()
				.isOk();
		}
		get(path + "/deliveries").expectBody().jsonPath("$.data.pagination.total").isEqualTo(1);
	}

	@Test
	void unknownEndpointsAndThoseOfOtherAccountsAreNotFound() {
		String own = endpoint();
		String delivery = JsonPath.read(text(post(own + "/test")), "$.data.delivery.id");
		Person other = Person.in(this.context);
		for (String path : new String[] { own, ENDPOINTS + "/" + UUID.randomUUID(), ENDPOINTS + "/nonsense" }) {
			String token = other.token();
			refused(this.client.get(token, path), 404, "Webhook endpoint not found");
			refused(this.client.send(HttpMethod.PUT, token, path, "{\"active\":false}"), 404,
					"Webhook endpoint not found");
			refused(this.client.call(HttpMethod.POST, token, path + "/rotate-secret"), 404,
					"Webhook endpoint not found");
			refused(this.client.call(HttpMethod.POST, token, path + "/test"), 404, "Webhook endpoint not found");
			refused(this.client.get(token, path + "/deliveries"), 404, "Webhook endpoint not found");
			refused(this.client.call(HttpMethod.DELETE, token, path), 404, "Webhook endpoint not found");
		}
		for (String id : new String[] { delivery, UUID.randomUUID().toString(), "nonsense" }) {
			refused(this.client.call(HttpMethod.POST, other.token(), "/api/webhooks/deliveries/" + id + "/redeliver"),
					404, "Webhook delivery not found");
		}
		get(own).expectBody().jsonPath("$.data.endpoint.active").isEqualTo(true);
	}

	@Test
	void anEndpointIsDeletedWithItsCalls() {
		String path = endpoint();
		String delivery = JsonPath.read(text(post(path + "/test")), "$.data.delivery.id");
		this.client.call(HttpMethod.DELETE, this.person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.deleted")
			.isEqualTo(true);
		refused(get(path), 404, "Webhook endpoint not found");
		refused(post("/api/webhooks/deliveries/" + delivery + "/redeliver"), 404, "Webhook delivery not found");
	}

	private String endpoint() {
		return ENDPOINTS + "/"
				+ JsonPath.<String>read(text(post(ENDPOINTS, VALID).expectStatus().isCreated()), "$.data.endpoint.id");
	}

	private WebTestClient.ResponseSpec post(String path, String body) {
		return this.client.send(HttpMethod.POST, this.person.token(), path, body);
	}

	private WebTestClient.ResponseSpec post(String path) {
		return this.client.call(HttpMethod.POST, this.person.token(), path);
	}

	private WebTestClient.ResponseSpec put(String path, String body) {
		return this.client.send(HttpMethod.PUT, this.person.token(), path, body);
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.get(this.person.token(), path);
	}

	private static String text(WebTestClient.ResponseSpec response) {
		return String.valueOf(response.expectBody(String.class).returnResult().getResponseBody());
	}

	private static void refused(WebTestClient.ResponseSpec response, int status, String error) {
		response.expectStatus().isEqualTo(status).expectBody().jsonPath("$.error").isEqualTo(error);
	}

}
