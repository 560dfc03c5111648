package dev.mailroom.api.security;

import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

@WithApi
@TestPropertySource(properties = "mailroom.cors.origins=https://app.test,http://localhost:5173")
class CrossOriginTest {

	@Autowired
	Client client;

	@Test
	void configuredOriginsMayCallTheApi() {
		preflight("https://app.test").expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "https://app.test")
			.expectHeader()
			.doesNotExist(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS);
		call("http://localhost:5173").expectHeader()
			.valueEquals(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "http://localhost:5173");
	}

	@Test
	void responsesToOtherOriginsHaveNoCorsHeaders() {
		for (String origin : new String[] { "https://app.test.evil.test", "http://app.test", "null",
				"https://app.test:8443" }) {
			preflight(origin).expectHeader().doesNotExist(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
			call(origin).expectStatus()
				.isUnauthorized()
				.expectHeader()
				.doesNotExist(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
		}
	}

	private WebTestClient.ResponseSpec preflight(String origin) {
		return this.client.web()
			.options()
			.uri("/api/auth/me")
			.header(HttpHeaders.ORIGIN, origin)
			.header(HttpHeaders.ACCESS_CONTROL_REQUEST_METHOD, "PATCH")
			.header(HttpHeaders.ACCESS_CONTROL_REQUEST_HEADERS, "authorization,content-type")
			.exchange();
	}

	private WebTestClient.ResponseSpec call(String origin) {
		return this.client.web().get().uri("/api/auth/me").header(HttpHeaders.ORIGIN, origin).exchange();
	}

}
