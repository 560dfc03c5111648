package dev.mailroom.system.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

/**
 * An SMTP server that does what the recipient's address asks for, and remembers every
 * copy that it was given whole.
 */
final class Sink implements AutoCloseable {

	/** So little that a large body cannot lie in the kernel when its sender dies. */
	private static final int RECEIVE_BUFFER = 16 * 1024;

	/** Where those find it who ask for a domain's own server. */
	static final String FIRST = "127.0.0.2";

	static final String SECOND = "127.0.0.3";

	private final List<ServerSocket> servers = new CopyOnWriteArrayList<>();

	private final Map<String, List<Integer>> copies = new ConcurrentHashMap<>();

	private final Map<String, Integer> tries = new ConcurrentHashMap<>();

	/** Something was given to the test to act upon, and what it may go on from. */
	private final Semaphore held = new Semaphore(0);

	private final Semaphore letGo = new Semaphore(0);

	Sink() throws IOException {
		bind(InetAddress.getLoopbackAddress().getHostAddress(), 0);
		bind(FIRST, port());
		bind(SECOND, port());
	}

	/** One more address at which it does the same. */
	void bind(String address, int port) throws IOException {
		ServerSocket server = new ServerSocket();
		server.setReceiveBufferSize(RECEIVE_BUFFER);
		server.bind(new InetSocketAddress(address, port));
		this.servers.add(server);
		Thread.ofPlatform().daemon().name("sink").start(() -> listen(server));
	}

	int port() {
		return this.servers.getFirst().getLocalPort();
	}

	/**
	 * By recipient, what each copy was that this one was given whole, answered or not.
	 */
	Map<String, List<Integer>> copies() {
		return this.copies;
	}

	/** Returns once a mail that was to be held is held. */
	void awaitHeld() throws InterruptedException {
		this.held.acquire();
	}

	/** Goes on with what is held. */
	void letGo() {
		this.letGo.release();
	}

	private void listen(ServerSocket server) {
		while (!server.isClosed()) {
			try {
				Socket socket = server.accept();
				socket.setTcpNoDelay(true);
				Thread.ofVirtual().start(() -> converse(socket));
			}
			catch (IOException _) {
				return;
			}
		}
	}

	private void converse(Socket socket) {
		try (socket) {
			new Session(socket).run();
		}
		catch (IOException _) {
			// Whoever hangs up is gone.
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() throws IOException {
		for (ServerSocket server : this.servers) {
			server.close();
		}
	}

	private final class Session {

		private final BufferedReader in;

		private final OutputStream out;

		private String recipient = "";

		private Manner manner = Manner.TAKE;

		Session(Socket socket) throws IOException {
			this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1),
					1024);
			this.out = socket.getOutputStream();
		}

		void run() throws IOException, InterruptedException {
			say("220 sink");
			for (String line = this.in.readLine(); line != null; line = this.in.readLine()) {
				switch (line.substring(0, Math.min(4, line.length())).strip()) {
					case "EHLO" -> say("250-sink\r\n250-PIPELINING\r\n250 8BITMIME");
					case "RCPT" -> recipient(line.substring(line.indexOf('<') + 1, line.indexOf('>')));
					case "DATA" -> {
						if (!data()) {
							return;
						}
					}
					case "QUIT" -> {
						say("221 bye");
						return;
					}
					default -> say("250 2.0.0 ok");
				}
			}
		}

		private void recipient(String address) throws IOException {
			Manner asked = Manner.of(address);
			boolean first = asked.isLasting() || Sink.this.tries.merge(address, 1, Integer::sum) == 1;
			this.recipient = address;
			this.manner = first ? asked : Manner.TAKE;
			say(switch (this.manner) {
				case DEFER -> "451 4.3.2 later";
				case SLOW_DOWN -> "451 4.7.1 not so fast";
				case REFUSE -> "550 5.1.1 nobody";
				default -> "250 2.1.5 ok";
			});
		}

		/** Whether the session goes on. */
		private boolean data() throws IOException, InterruptedException {
			if (this.manner.isRefusal()) {
				say("503 5.5.1 nobody to send it to");
				return true;
			}
			say("354 go on");
			int hash = 0;
			int lines = 0;
			for (String line = this.in.readLine(); !".".equals(line); line = this.in.readLine()) {
				if (line == null) {
					return false;
				}
				hash = 31 * hash + line.hashCode();
				lines++;
				if (lines == 10 && this.manner == Manner.HOLD_BODY) {
					hold();
				}
			}
			Sink.this.copies.computeIfAbsent(this.recipient, (_) -> new CopyOnWriteArrayList<>()).add(hash);
			return answer();
		}

		private boolean answer() throws IOException, InterruptedException {
			switch (this.manner) {
				case DROP -> {
					return false;
				}
				case STALL -> {
					// Whoever waits hangs up in the end.
					return this.in.readLine() != null;
				}
				case HOLD_ANSWER -> hold();
				default -> {
				}
			}
			say("250 2.0.0 taken");
			return true;
		}

		private void hold() throws InterruptedException {
			Sink.this.held.release();
			Sink.this.letGo.acquire();
		}

		private void say(String line) throws IOException {
			this.out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
		}

	}

}
