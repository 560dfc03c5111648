package dev.mailroom.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpResponse;

import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
class ServerConnectionsTest {

	private static final int DEADLINE_MILLIS = 60_000;

	private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

	private WebServer server;

	@BeforeEach
	void start() {
		NettyReactiveWebServerFactory factory = new NettyReactiveWebServerFactory(0);
		factory.setAddress(InetAddress.getLoopbackAddress());
		new ServerConnections(new ConnectionSettings(2, 0, Duration.ofSeconds(2), Duration.ofSeconds(2),
				Duration.ofSeconds(4), Duration.ofSeconds(30)))
			.customize(factory);
		this.server = factory.getWebServer((request, response) -> request.getBody()
			.then(Mono.defer(((ServerHttpResponse) response)::setComplete)));
		this.server.start();
	}

	@AfterEach
	void stop() {
		this.server.stop();
	}

	@Test
	void clientsThatDoNotFinishTheirRequestAreDisconnected() throws IOException {
		for (String begin : new String[] { "GET / HTTP/1.1\r\nX-Slow: ",
				"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n1" }) {
			try (Socket client = connect()) {
				send(client, begin);
				assertThat(text(client)).doesNotContain("HTTP/1.1 2");
			}
		}
	}

	@Test
	void aConnectionAboveTheLimitIsClosed() throws IOException {
		try (Socket first = connect(); Socket second = connect()) {
			for (Socket client : new Socket[] { first, second }) {
				send(client, REQUEST);
				assertThat(client.getInputStream().read()).isEqualTo('H');
			}
			try (Socket third = connect()) {
				send(third, REQUEST);
				assertThat(text(third)).isEmpty();
			}
		}
	}

	@Test
	void theConnectionsToAManagementPortAreLimited() throws IOException {
		startManagement((_, response) -> response
			.writeAndFlushWith(Flux.concat(Mono.just(Mono.just(bytes(response))), Mono.never())));
		List<Socket> open = new ArrayList<>();
		try {
			for (int i = 0; i < 101; i++) {
				Socket client = connect();
				open.add(client);
				if (i < 100) {
					send(client, REQUEST);
					assertThat(client.getInputStream().read()).isEqualTo('H');
				}
				else {
					assertThat(text(client)).isEmpty();
				}
			}
		}
		finally {
			for (Socket client : open) {
				client.close();
			}
		}
	}

	@Test
	void aClientOfAManagementPortThatReadsNothingGetsOneResponse() throws IOException {
		AtomicInteger requests = new AtomicInteger();
		startManagement((_, response) -> response.writeWith(Mono.fromSupplier(() -> {
			requests.incrementAndGet();
			return bytes(response);
		})));
		try (Socket client = connect()) {
			send(client, REQUEST.repeat(20));
			assertThat(text(client)).containsOnlyOnce("HTTP/1.1 200");
		}
		assertThat(requests).hasValue(1);
	}

	private void startManagement(HttpHandler handler) {
		stop();
		NettyReactiveWebServerFactory factory = new NettyReactiveWebServerFactory(0);
		factory.setAddress(InetAddress.getLoopbackAddress());
		new ManagementPort().managementConnections().customize(factory);
		this.server = factory.getWebServer(handler);
		this.server.start();
	}

	private static DataBuffer bytes(ServerHttpResponse response) {
		return response.bufferFactory().wrap(new byte[1000]);
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.server.getPort());
		socket.setSoTimeout(DEADLINE_MILLIS);
		return socket;
	}

	private static void send(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	/** Bytes until the server closes the connection. */
	private static String text(Socket socket) {
		try {
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			assertThat(ex).hasMessageContaining("reset");
			return "";
		}
	}

}
