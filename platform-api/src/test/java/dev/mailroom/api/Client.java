package dev.mailroom.api;

import java.time.Duration;

import dev.mailroom.api.docs.ContractFilter;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** HTTP client of the API. */
public final class Client {

	/** Checks every response against the OpenAPI document. */
	private static final ContractFilter CONTRACT = new ContractFilter();

	private static final int MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

	private final WebTestClient web;

	/** Creates a client of the app that listens on a port. */
	public Client(int port) {
		this.web = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + port)
			.responseTimeout(Duration.ofSeconds(30))
			.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(MAX_RESPONSE_BYTES))
			.filter(CONTRACT)
			.build();
	}

	/** The underlying client, for requests without a short form here. */
	public WebTestClient web() {
		return this.web;
	}

	public WebTestClient.ResponseSpec get(String token, String path) {
		return this.web.get().uri(path).headers((headers) -> headers.setBearerAuth(token)).exchange();
	}

	public WebTestClient.ResponseSpec call(HttpMethod method, String token, String path) {
		return this.web.method(method).uri(path).headers((headers) -> headers.setBearerAuth(token)).exchange();
	}

	/** Posts a JSON body without a credential. */
	public WebTestClient.ResponseSpec post(String path, String json) {
		return this.web.post().uri(path).contentType(MediaType.APPLICATION_JSON).bodyValue(json).exchange();
	}

	/** Sends a JSON body with a credential. */
	public WebTestClient.ResponseSpec send(HttpMethod method, String token, String path, String json) {
		return this.web.method(method)
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(token))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(json)
			.exchange();
	}

}
