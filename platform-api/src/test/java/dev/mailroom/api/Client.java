package dev.mailroom.api;

import java.time.Duration;

import dev.mailroom.api.docs.Fit;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Calls the app like a tenant's program does. */
public final class Client {

	/** Whatever a test asks for, its answer is held against the API's document. */
	private static final Fit FIT = new Fit();

	private static final int LARGEST_ANSWER = 64 * 1024 * 1024;

	private final WebTestClient web;

	/** A client of the app that listens on this port. */
	public Client(int port) {
		this.web = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + port)
			.responseTimeout(Duration.ofSeconds(30))
			.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(LARGEST_ANSWER))
			.filter(FIT)
			.build();
	}

	/** The bare client, for what has no short form here. */
	public WebTestClient web() {
		return this.web;
	}

	public WebTestClient.ResponseSpec get(String token, String path) {
		return this.web.get().uri(path).headers((headers) -> headers.setBearerAuth(token)).exchange();
	}

	public WebTestClient.ResponseSpec call(HttpMethod method, String token, String path) {
		return this.web.method(method).uri(path).headers((headers) -> headers.setBearerAuth(token)).exchange();
	}

	/** Sends a body of JSON, without a credential. */
	public WebTestClient.ResponseSpec post(String path, String json) {
		return this.web.post().uri(path).contentType(MediaType.APPLICATION_JSON).bodyValue(json).exchange();
	}

	/** Sends a body of JSON with a credential. */
	public WebTestClient.ResponseSpec send(HttpMethod method, String token, String path, String json) {
		return this.web.method(method)
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(token))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(json)
			.exchange();
	}

}
