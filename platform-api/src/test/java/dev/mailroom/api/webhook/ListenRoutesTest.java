package dev.mailroom.api.webhook;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class ListenRoutesTest {

	private static final String LISTEN = "/api/webhooks/listen";

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void aStreamContinuesWhereTheLastOneEndedAndSkipsOtherKinds() {
		String[] last = { lastId(stream(LISTEN, null)) };
		for (int i = 0; i < 3; i++) {
			event("quota.reached", i);
			event("quota.warning", i);
		}
		List<Integer> used = new ArrayList<>();
		Await.until("three calls are received", () -> {
			String stream = stream(LISTEN + "?events=quota.reached,contact.*", last[0]);
			data(stream).forEach((message) -> {
				String body = JsonPath.read(message, "$.body");
				assertThat(JsonPath.<String>read(body, "$.type")).isEqualTo("quota.reached");
				used.add(JsonPath.read(body, "$.data.used"));
			});
			last[0] = lastId(stream);
			return used.size() >= 3;
		});
		assertThat(used).containsExactly(0, 1, 2);
	}

	@Test
	void callsAreSignedWithASecretThatDoesNotChange() throws Exception {
		String last = lastId(stream(LISTEN, null));
		event("quota.reached", 7);
		String[] message = { "" };
		Await.until("a call is received", () -> {
			List<String> data = data(stream(LISTEN + "?after=" + last, null));
			data.forEach((it) -> message[0] = it);
			return !data.isEmpty();
		});
		String secret = secret();
		assertThat(secret()).isEqualTo(secret).startsWith("whsec_");
		Map<String, String> headers = JsonPath.read(message[0], "$.headers");
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring(6)), "HmacSHA256"));
		String signed = headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + "."
				+ JsonPath.read(message[0], "$.body");
		assertThat(headers.get("webhook-signature")).isEqualTo(
				"v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
	}

	@Test
	void theFeedIsAlsoAStream() {
		String last = lastId(stream("/api/events", null));
		event("quota.reached", 9);
		Await.until("the event is received", () -> {
			List<String> data = data(stream("/api/events", last));
			data.forEach((it) -> {
				assertThat(JsonPath.<String>read(it, "$.type")).isEqualTo("quota.reached");
				assertThat(JsonPath.<Integer>read(it, "$.data.used")).isEqualTo(9);
			});
			return !data.isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "?after=nonsense", "?events=email.nonsense", "?events=", "?events=*", "?events=email.*," })
	void anInvalidQueryIsRefused(String query) {
		this.client.get(this.person.token(), LISTEN + query)
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data");
	}

	private void event(String kind, int used) {
		Given.run(
				"insert into event (id, account_id, kind, data, created_at) "
						+ "values (uuidv7(), '%s', '%s', '{\"period\": \"daily\", \"used\": %d, \"limit\": 1, "
						+ "\"remaining\": 0, \"resets_at\": \"2026-11-22T00:00:00Z\"}', now())",
				this.person.account(), kind, used);
	}

	private String secret() {
		return JsonPath.read(text(this.client.get(this.person.token(), LISTEN + "/secret")), "$.data.secret");
	}

	/** A whole stream, which ends soon in tests. */
	private String stream(String path, String last) {
		return text(this.client.web().method(HttpMethod.GET).uri(path).headers((headers) -> {
			headers.setBearerAuth(this.person.token());
			headers.setAccept(List.of(MediaType.TEXT_EVENT_STREAM));
			if (last != null) {
				headers.set("Last-Event-ID", last);
			}
		}).exchange());
	}

	private static String text(WebTestClient.ResponseSpec response) {
		return new String(response.expectStatus().isOk().expectBody().returnResult().getResponseBody(),
				StandardCharsets.UTF_8);
	}

	private static List<String> data(String stream) {
		return stream.lines().filter((line) -> line.startsWith("data:")).map((line) -> line.substring(5)).toList();
	}

	private static String lastId(String stream) {
		return stream.lines().filter((line) -> line.startsWith("id:")).reduce((_, id) -> id).orElseThrow().substring(3);
	}

}
