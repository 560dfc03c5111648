package dev.mailroom.api.http;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import dev.mailroom.api.WithApi;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class UnreadableRequestsTest {

	private static final int TIMEOUT_MILLIS = 30_000;

	@LocalServerPort
	int port;

	@ParameterizedTest
	@CsvSource({ "GET /%s HTTP/1.1,413,Payload too large", "GET / HTTP/1.1\\r\\nX-Long: %s,413,Payload too large",
			"GET / HTTP/1.1\\r\\nBad Name: x,400,Invalid request data" })
	void theServersOwnResponsesHaveTheErrorFormat(String head, int status, String error) throws IOException {
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			String text = head.replace("\\r\\n", "\r\n").formatted("x".repeat(20_000)) + "\r\n\r\n";
			socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
			String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(response).startsWith("HTTP/1.1 " + status)
				.containsIgnoringCase("X-Request-Id: ")
				.containsIgnoringCase("Content-Type: application/json")
				.contains("\"error\":\"" + error + "\"", "\"statusCode\":" + status, "\"request_id\":\"");
		}
	}

}
