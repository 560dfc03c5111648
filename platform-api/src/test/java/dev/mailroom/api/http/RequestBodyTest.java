package dev.mailroom.api.http;

import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

@WithApi
@Import(HttpTest.Open.class)
class RequestBodyTest {

	@LocalServerPort
	int port;

	WebTestClient client;

	@BeforeEach
	void connect() {
		this.client = WebTestClient.bindToServer().baseUrl("http://localhost:" + this.port + "/api/test").build();
	}

	@Test
	void requestsUseEitherCaseAndResponsesSnakeCaseWithMilliseconds() {
		for (String body : List.of("{\"someText\":\"x\",\"unknown\":1}", "{\"some_text\":\"x\"}")) {
			post(body).expectStatus()
				.isOk()
				.expectBody()
				.json("{\"success\":true,\"data\":{\"thing\":{\"some_text\":\"x\",\"at\":\"2030-01-02T03:04:05.600Z\"}}}");
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{\"someText\":1}|some_text", "{\"someText\":true}|some_text",
			"{\"count\":\"1\"}|count", "{\"flag\":1}|flag", "{\"list\":[\"a\",2]}|list[1]", "{\"list\":{}}|list" })
	void aValueOfTheWrongTypeIsRefusedWithItsField(String body, String field) {
		post(body).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data")
			.jsonPath("$.details[0].field")
			.isEqualTo(field);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{", "", "[]", "null", "{\"a\":1}{", "\u0000" })
	void aBodyThatIsNoJsonObjectIsRefused(String body) {
		post(body).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.name")
			.isEqualTo("invalid_request_data")
			.jsonPath("$.statusCode")
			.isEqualTo(400);
	}

	@Test
	void invalidUtf8AndDeepNestingAreRefused() {
		byte[] invalid = "{\"someText\":\"x\"}".getBytes(StandardCharsets.ISO_8859_1);
		invalid[13] = (byte) 0xff;
		this.client.post()
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(invalid)
			.exchange()
			.expectStatus()
			.isBadRequest();
		post("{\"x\":" + "[".repeat(70) + "]".repeat(70) + "}").expectStatus().isBadRequest();
	}

	private WebTestClient.ResponseSpec post(String body) {
		return this.client.post().contentType(MediaType.APPLICATION_JSON).bodyValue(body).exchange();
	}

}
