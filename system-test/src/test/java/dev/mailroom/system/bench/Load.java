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
 * Clients that post the same body over and over, each on a connection of its own and each
 * waiting for its answer: little more than sockets, for they share the machine with what
 * they measure.
 */
final class Load {

	private final int port;

	private final byte[] request;

	private final int clients;

	/** So many clients that post this body to a path. */
	Load(int port, String path, String key, String body, int clients) {
		byte[] content = body.getBytes(StandardCharsets.UTF_8);
		String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
				+ "\r\nContent-Type: application/json\r\nContent-Length: " + content.length + "\r\n\r\n";
		this.port = port;
		this.request = (head + body).getBytes(StandardCharsets.UTF_8);
		this.clients = clients;
	}

	/** Posts so often in all, and returns once every answer is a success. */
	void post(long times) throws Exception {
		AtomicLong left = new AtomicLong(times);
		run(() -> left.getAndDecrement() > 0);
	}

	/** Posts for so long and returns how often it was answered with a success. */
	long postFor(long nanos) throws Exception {
		long deadline = System.nanoTime() + nanos;
		return run(() -> System.nanoTime() < deadline);
	}

	private long run(Callable<Boolean> more) throws Exception {
		List<Callable<Long>> all = new ArrayList<>();
		for (int i = 0; i < this.clients; i++) {
			all.add(() -> client(more));
		}
		long posted = 0;
		try (ExecutorService threads = Executors.newFixedThreadPool(this.clients)) {
			for (Future<Long> each : threads.invokeAll(all)) {
				posted += each.get();
			}
		}
		return posted;
	}

	private long client(Callable<Boolean> more) throws Exception {
		long posted = 0;
		byte[] answer = new byte[1 << 16];
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			socket.setTcpNoDelay(true);
			while (more.call()) {
				socket.getOutputStream().write(this.request);
				expectSuccess(socket.getInputStream(), answer);
				posted++;
			}
		}
		return posted;
	}

	private static void expectSuccess(InputStream in, byte[] answer) throws IOException {
		int length = 0;
		int whole = Integer.MAX_VALUE;
		while (length < whole) {
			int read = in.read(answer, length, answer.length - length);
			if (read <= 0) {
				throw new IOException("The server hung up");
			}
			length += read;
			if (whole == Integer.MAX_VALUE) {
				whole = whole(answer, length);
			}
		}
		if (answer[9] != '2') {
			throw new IOException(new String(answer, 0, length, StandardCharsets.UTF_8));
		}
	}

	/** How long the answer is in all, once its head is there. */
	private static int whole(byte[] answer, int length) {
		String head = new String(answer, 0, length, StandardCharsets.ISO_8859_1);
		int end = head.indexOf("\r\n\r\n");
		if (end < 0) {
			return Integer.MAX_VALUE;
		}
		int field = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
		int value = field + "content-length: ".length();
		return end + 4 + Integer.parseInt(head.substring(value, head.indexOf('\r', value)));
	}

}
