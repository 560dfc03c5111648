package dev.mailroom.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.netty.channel.ChannelOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;

@Execution(ExecutionMode.CONCURRENT)
class StalledReaderTest {

	private static final int RESPONSE_BYTES = 2_000_000;

	private static final int SOCKET_BUFFER = 16 * 1024;

	private static final int PIECE = 8 * 1024;

	@Test
	void aClientThatReadsSlowerThanTheMinimumRateIsDisconnected() throws IOException {
		assertThat(readSlowly(1_000_000_000)).isLessThan(RESPONSE_BYTES);
	}

	@Test
	void aClientThatReadsFasterThanTheMinimumRateGetsItsResponse() throws IOException {
		assertThat(readSlowly(1)).isGreaterThan(RESPONSE_BYTES);
	}

	/** The bytes that a client receives which pauses after each piece. */
	private static long readSlowly(long minRate) throws IOException {
		DisposableServer server = HttpServer.create()
			.host("localhost")
			.port(0)
			.childOption(ChannelOption.SO_SNDBUF, SOCKET_BUFFER)
			.doOnChannelInit(
					(_, channel, _) -> channel.pipeline().addFirst(new StalledReader(1, TimeUnit.SECONDS, minRate)))
			.handle((_, response) -> response.sendByteArray(Mono.just(new byte[RESPONSE_BYTES])))
			.bindNow();
		try (Socket client = new Socket()) {
			client.setReceiveBufferSize(SOCKET_BUFFER);
			client.setSoTimeout(60_000);
			client.connect(new InetSocketAddress("localhost", server.port()));
			client.getOutputStream()
				.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
					.getBytes(StandardCharsets.US_ASCII));
			return count(client.getInputStream());
		}
		finally {
			server.disposeNow();
		}
	}

	private static long count(InputStream response) {
		byte[] piece = new byte[PIECE];
		long received = 0;
		try {
			for (int read = response.read(piece); read >= 0; read = response.read(piece)) {
				received += read;
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
			}
		}
		catch (IOException ex) {
			assertThat(ex).hasMessageContaining("reset");
		}
		return received;
	}

}
