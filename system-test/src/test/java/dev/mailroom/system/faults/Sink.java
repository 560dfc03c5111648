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
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

/**
 * A scripted SMTP server. The domain of the recipient selects its behaviour, and it
 * records every complete copy.
 */
final class Sink implements AutoCloseable {

	/** Small, so that a large body is not buffered by the kernel when its sender ends. */
	private static final int RECEIVE_BUFFER = 16 * 1024;

	/** Addresses of the servers of the domains. */
	static final String FIRST = "127.0.0.2";

	static final String SECOND = "127.0.0.3";

	private final List<ServerSocket> servers = new CopyOnWriteArrayList<>();

	private final Map<String, List<Integer>> copies = new ConcurrentHashMap<>();

	/** Host names that clients sent in EHLO, by recipient of their last copy. */
	private final Map<String, String> clients = new ConcurrentHashMap<>();

	private final Map<String, Integer> tries = new ConcurrentHashMap<>();

	/** Signals to the test that a mail is stopped, and back that it continues. */
	private final Semaphore stopped = new Semaphore(0);

	private final Semaphore continued = new Semaphore(0);

	Sink() throws IOException {
		bind(InetAddress.getLoopbackAddress().getHostAddress(), 0);
		bind(FIRST, port());
		bind(SECOND, port());
	}

	/** Adds an address. */
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

	/** Hashes of the complete copies by recipient, with or without a reply. */
	Map<String, List<Integer>> copies() {
		return this.copies;
	}

	/**
	 * Number of recipients with a name by the host name of the client that sent the last
	 * copy.
	 */
	Map<String, Long> received(String run) {
		return this.clients.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().startsWith(run))
			.collect(Collectors.groupingBy(Map.Entry::getValue, TreeMap::new, Collectors.counting()));
	}

	/** Waits until a mail is stopped. */
	void awaitStopped() throws InterruptedException {
		this.stopped.acquire();
	}

	/** Continues the stopped mail. */
	void continueMail() {
		this.continued.release();
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
			// The client closed the connection.
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

		private String client = "";

		private String recipient = "";

		private Behavior behavior = Behavior.TAKE;

		Session(Socket socket) throws IOException {
			this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1),
					1024);
			this.out = socket.getOutputStream();
		}

		void run() throws IOException, InterruptedException {
			say("220 sink");
			for (String line = this.in.readLine(); line != null; line = this.in.readLine()) {
				switch (line.substring(0, Math.min(4, line.length())).strip()) {
					case "EHLO" -> {
						this.client = line.substring(line.indexOf(' ') + 1).strip();
						say("250-sink\r\n250-PIPELINING\r\n250 8BITMIME");
					}
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
			Behavior behavior = Behavior.of(address);
			boolean first = behavior.isLasting() || Sink.this.tries.merge(address, 1, Integer::sum) == 1;
			this.recipient = address;
			this.behavior = first ? behavior : Behavior.TAKE;
			say(switch (this.behavior) {
				case DEFER -> "451 4.3.2 later";
				case SLOW_DOWN -> "451 4.7.1 not so fast";
				case REFUSE -> "550 5.1.1 unknown";
				default -> "250 2.1.5 ok";
			});
		}

		/** Receives a message; false if the session ends. */
		private boolean data() throws IOException, InterruptedException {
			if (this.behavior.isRefusal()) {
				say("503 5.5.1 no recipients");
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
				if (lines == 10 && this.behavior == Behavior.HOLD_BODY) {
					stop();
				}
			}
			Sink.this.clients.put(this.recipient, this.client);
			Sink.this.copies.computeIfAbsent(this.recipient, (_) -> new CopyOnWriteArrayList<>()).add(hash);
			return answer();
		}

		private boolean answer() throws IOException, InterruptedException {
			switch (this.behavior) {
				case DROP -> {
					return false;
				}
				case STALL -> {
					// Waits until the client closes the connection.
					return this.in.readLine() != null;
				}
				case HOLD_ANSWER -> stop();
				default -> {
				}
			}
			say("250 2.0.0 taken");
			return true;
		}

		private void stop() throws InterruptedException {
			Sink.this.stopped.release();
			Sink.this.continued.acquire();
		}

		private void say(String line) throws IOException {
			this.out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
		}

	}

}
