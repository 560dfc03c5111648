package dev.mailroom.api.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.mailroom.Await;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithLimitedApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

@WithLimitedApi
@Execution(ExecutionMode.CONCURRENT)
class SlowClientsTest {

	private static final Duration DEADLINE = Duration.ofSeconds(60);

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void aHeadThatArrivesByteByByteEndsTheConnection() throws IOException {
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.setSoTimeout(200);
			send(socket, "GET /api/domains HTTP/1.1\r\nX-Slow: ");
			Await.until("the connection ends", () -> {
				send(socket, "a");
				return isClosed(socket);
			});
		}
	}

	@Test
	void aBodyThatDoesNotArriveEndsTheConnection() throws IOException {
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.setSoTimeout((int) DEADLINE.toMillis());
			send(socket,
					"POST /api/domains HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
							+ Person.in(this.context).token()
							+ "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{");
			String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(response).startsWith("HTTP/1.1 400").contains("The body did not arrive in time");
		}
	}

	private static void send(Socket socket, String text) {
		try {
			socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException _) {
			// The server has closed the connection, as reading shows.
		}
	}

	private static boolean isClosed(Socket socket) {
		try {
			InputStream response = socket.getInputStream();
			return response.read() < 0;
		}
		catch (SocketTimeoutException _) {
			return false;
		}
		catch (IOException _) {
			return true;
		}
	}

}
