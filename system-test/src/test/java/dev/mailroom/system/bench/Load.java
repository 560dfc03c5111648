package dev.mailroom.system.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Clients that post the same body repeatedly, each on its own connection and waiting for
 * each response. They use plain sockets to take little CPU time from the programs that
 * are measured.
 */
final class Load {

	private final int port;

	private final byte[] request;

	private final int clients;

	/** Creates a number of clients that post a body to a path. */
	Load(int port, String path, String key, String body, int clients) {
		byte[] content = body.getBytes(StandardCharsets.UTF_8);
		String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
				+ "\r\nContent-Type: application/json\r\nContent-Length: " + content.length + "\r\n\r\n";
		this.port = port;
		this.request = (head + body).getBytes(StandardCharsets.UTF_8);
		this.clients = clients;
	}

	/** Posts a number of times in total; fails if a response is not a success. */
	void post(long times) throws Exception {
		AtomicLong remaining = new AtomicLong(times);
		run(() -> remaining.getAndDecrement() > 0);
	}

	/** Posts for a time and returns the number of successful responses. */
	long postFor(long nanos) throws Exception {
		long deadline = System.nanoTime() + nanos;
		return run(() -> System.nanoTime() < deadline);
	}

	private long run(Callable<Boolean> more) throws Exception {
		List<Callable<Long>> tasks = new ArrayList<>();
		for (int i = 0; i < this.clients; i++) {
			tasks.add(() -> client(more));
		}
		long posted = 0;
		try (ExecutorService threads = Executors.newFixedThreadPool(this.clients)) {
			for (Future<Long> result : threads.invokeAll(tasks)) {
				posted += result.get();
			}
		}
		return posted;
	}

	private long client(Callable<Boolean> more) throws Exception {
		long posted = 0;
		byte[] response = new byte[1 << 16];
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setTcpNoDelay(true);
			while (more.call()) {
				socket.getOutputStream().write(this.request);
				expectSuccess(socket.getInputStream(), response);
				posted++;
			}
		}
		return posted;
	}

	private static void expectSuccess(InputStream in, byte[] response) throws IOException {
		int length = 0;
		int total = Integer.MAX_VALUE;
		while (length < total) {
			int read = in.read(response, length, response.length - length);
			if (read <= 0) {
				throw new IOException("The server closed the connection");
			}
			length += read;
			if (total == Integer.MAX_VALUE) {
				total = totalLength(response, length);
			}
		}
		if (response[9] != '2') {
			throw new IOException(new String(response, 0, length, StandardCharsets.UTF_8));
		}
	}

	/** Length of the response once its header is complete. */
	private static int totalLength(byte[] response, int length) {
		String head = new String(response, 0, length, StandardCharsets.ISO_8859_1);
		int end = head.indexOf("\r\n\r\n");
		if (end < 0) {
			return Integer.MAX_VALUE;
		}
		int field = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
		int value = field + "content-length: ".length();
		return end + 4 + Integer.parseInt(head.substring(value, head.indexOf('\r', value)));
	}

}
