package dev.mailroom.api.security;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection with pipelined requests stays usable after an immediate response that
 * waited behind a slower one (reactor-netty issue 4361).
 */
@WithApi
class KeepAliveTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Test
	void aConnectionStaysUsableAfterARefusalBehindASlowerResponse() throws IOException {
		String slow = request(Person.in(this.context).token());
		String refused = request("garbage");
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setSoTimeout(10_000);
			BufferedReader responses = new BufferedReader(
					new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
			for (int i = 0; i < 5; i++) {
				write(socket, slow + refused);
				assertThat(status(responses)).contains("200");
				assertThat(status(responses)).contains("401");
				write(socket, refused);
				assertThat(status(responses)).contains("401");
			}
		}
	}

	private static String request(String token) {
		return "GET /api/auth/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n\r\n";
	}

	private static void write(Socket socket, String requests) throws IOException {
		socket.getOutputStream().write(requests.getBytes(StandardCharsets.US_ASCII));
		socket.getOutputStream().flush();
	}

	private static String status(BufferedReader responses) throws IOException {
		String status = responses.readLine();
		int length = 0;
		for (String line = responses.readLine(); !line.isEmpty(); line = responses.readLine()) {
			if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
				length = Integer.parseInt(line.substring("content-length:".length()).strip());
			}
		}
		assertThat(responses.skip(length)).isEqualTo(length);
		return status;
	}

}
