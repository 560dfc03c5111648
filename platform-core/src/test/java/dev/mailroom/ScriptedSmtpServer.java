package dev.mailroom;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import org.jspecify.annotations.Nullable;

/**
 * SMTP server of the tests, on real sockets. It accepts and keeps every mail unless a
 * reply is scripted for a stage of the session: a text, {@link #DROP} to close the
 * connection, or {@link #STALL} to send nothing until the server is closed. A stage is a
 * verb, {@code GREETING}, {@code CONTENT} (before it is read) or {@code BODY} (after the
 * final dot). {@code RCPT}, {@code CONTENT} and {@code BODY} may be followed by a space
 * and the recipient to whom alone they apply.
 */
public final class ScriptedSmtpServer implements AutoCloseable {

	/** Closes the connection instead of a reply. */
	public static final String DROP = "drop";

	/** Sends no reply. */
	public static final String STALL = "stall";

	/** Suffix of a reply after which the connection is closed. */
	public static final String HANG_UP = " and hangs up";

	/** Small, so that the kernel does not buffer a large body while the server waits. */
	private static final int RECEIVE_BUFFER = 16 * 1024;

	private final List<ServerSocket> listeners = new CopyOnWriteArrayList<>();

	private final Map<String, String> script = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> remaining = new ConcurrentHashMap<>();

	private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();

	private final Queue<Mail> mails = new ConcurrentLinkedQueue<>();

	private final Queue<String> commands = new ConcurrentLinkedQueue<>();

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicInteger sessions = new AtomicInteger();

	private final AtomicInteger waiting = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile List<String> extensions = List.of("PIPELINING", "8BITMIME", "SIZE 1000000");

	private volatile @Nullable SSLContext tls;

	public ScriptedSmtpServer() {
		this(0);
	}

	public ScriptedSmtpServer(int port) {
		this(InetAddress.getLoopbackAddress(), port);
	}

	public ScriptedSmtpServer(InetAddress address, int port) {
		listen(address, port);
	}

	/**
	 * A received mail without dot stuffing.
	 *
	 * @param client host name that the client sent in EHLO
	 * @param peer address of the client
	 */
	public record Mail(String client, String mailFrom, String rcptTo, String content, String peer) {
	}

	/** Listens on the same port of another address too. */
	public void listen(InetAddress address) {
		listen(address, port());
	}

	private void listen(InetAddress address, int port) {
		try {
			ServerSocket listener = new ServerSocket();
			listener.setReceiveBufferSize(RECEIVE_BUFFER);
			listener.bind(new InetSocketAddress(address, port), 128);
			this.listeners.add(listener);
			Thread.ofVirtual().start(() -> accept(listener));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public int port() {
		return this.listeners.getFirst().getLocalPort();
	}

	/** The mails received so far, also those that were not replied to. */
	public List<Mail> mails() {
		return List.copyOf(this.mails);
	}

	/** Lines received so far from all clients, without message bodies. */
	public List<String> commands() {
		return List.copyOf(this.commands);
	}

	/** Number of accepted connections. */
	public int sessions() {
		return this.sessions.get();
	}

	/** Sets the extensions in the reply to EHLO. */
	public ScriptedSmtpServer offering(String... extensions) {
		this.extensions = List.of(extensions);
		return this;
	}

	/** Sets the context for STARTTLS. */
	public ScriptedSmtpServer withTls(SSLContext context) {
		this.tls = context;
		return this;
	}

	/** Sets the reply at a stage. */
	public ScriptedSmtpServer answer(String stage, String reply) {
		this.script.put(stage.toUpperCase(Locale.ROOT), reply);
		return this;
	}

	/** Sets a reply that is sent only a number of times. */
	public ScriptedSmtpServer answer(String stage, String reply, int times) {
		this.remaining.put(stage.toUpperCase(Locale.ROOT), new AtomicInteger(times));
		return answer(stage, reply);
	}

	/**
	 * Stops the sessions at a stage of a recipient until the latch is released.
	 * @return the latch
	 */
	public CountDownLatch hold(String stage) {
		CountDownLatch latch = new CountDownLatch(1);
		this.held.put(stage.toUpperCase(Locale.ROOT), latch);
		return latch;
	}

	/** Whether a session has been stopped and waits for its latch. */
	public boolean isHolding() {
		return this.waiting.get() > 0;
	}

	/** Removes all scripted replies and continues the stopped sessions. */
	public void behave() {
		this.held.values().forEach(CountDownLatch::countDown);
		this.held.clear();
		this.remaining.clear();
		this.script.clear();
	}

	private void accept(ServerSocket listener) {
		try {
			while (!listener.isClosed()) {
				Socket socket = listener.accept();
				socket.setTcpNoDelay(true);
				this.sockets.add(socket);
				this.sessions.incrementAndGet();
				Thread.ofVirtual().start(() -> converse(socket));
			}
		}
		catch (IOException _) {
			// The server was closed.
		}
	}

	private void converse(Socket socket) {
		try (socket) {
			new Session(socket).run();
		}
		catch (IOException _) {
			// The client has closed the connection.
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.sockets.remove(socket);
		}
	}

	@Override
	public void close() {
		behave();
		this.closed.countDown();
		try {
			for (ServerSocket listener : this.listeners) {
				listener.close();
			}
			for (Socket socket : this.sockets) {
				socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private final class Session {

		private Socket socket;

		private BufferedReader in;

		private String client = "";

		private String from = "";

		private String to = "";

		Session(Socket socket) throws IOException {
			this.socket = socket;
			this.in = reader(socket);
		}

		void run() throws IOException, InterruptedException {
			boolean open = reply("GREETING", "220 scripted ESMTP");
			String line = open ? this.in.readLine() : null;
			while (line != null) {
				ScriptedSmtpServer.this.commands.add(line);
				line = answer(line) ? this.in.readLine() : null;
			}
		}

		private boolean answer(String line) throws IOException, InterruptedException {
			String verb = line.split("[ :]", -1)[0].toUpperCase(Locale.ROOT);
			String argument = line.contains("<") ? line.substring(line.indexOf('<') + 1, line.indexOf('>')) : "";
			return switch (verb) {
				case "EHLO" -> {
					this.client = line.substring(verb.length()).strip();
					yield reply(verb,
							"250-scripted\r\n250-" + String.join("\r\n250-", ScriptedSmtpServer.this.extensions)
									+ "\r\n250 ENHANCEDSTATUSCODES");
				}
				case "MAIL" -> {
					this.from = argument;
					this.to = "";
					yield reply(verb, "250 2.1.0 Ok");
				}
				case "RCPT" -> recipient(argument);
				case "DATA" -> reply(verb, "354 Go on") && (refuses(verb) || receive());
				case "STARTTLS" -> reply(verb, "220 2.0.0 Go on") && upgrade();
				case "AUTH" -> reply(verb,
						line.toUpperCase(Locale.ROOT).startsWith("AUTH LOGIN") ? "334 VXNlcm5hbWU6" : "235 2.7.0 Ok");
				case "QUIT" -> {
					reply(verb, "221 2.0.0 Bye");
					yield false;
				}
				case "HELO", "RSET", "NOOP" -> reply(verb, "250 2.0.0 Ok");
				default -> reply(verb, "334 UGFzc3dvcmQ6");
			};
		}

		private boolean recipient(String recipient) throws IOException, InterruptedException {
			if (refuses("MAIL")) {
				return reply("RCPT", "503 5.5.1 MAIL first");
			}
			String stage = "RCPT " + recipient;
			if (!refuses(stage)) {
				this.to = recipient;
			}
			return reply(stage, "250 2.1.5 Ok");
		}

		private boolean receive() throws IOException, InterruptedException {
			String stage = "CONTENT " + this.to;
			awaitRelease(stage);
			if (!scripted(stage, "").isEmpty()) {
				return reply(stage, "");
			}
			StringBuilder content = new StringBuilder();
			for (String line = this.in.readLine(); !".".equals(line); line = this.in.readLine()) {
				if (line == null) {
					return false;
				}
				content.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
			}
			if (this.to.isEmpty()) {
				return reply("NOBODY", "554 5.5.1 No valid recipients");
			}
			String after = scripted("BODY " + this.to, "250");
			if (!after.startsWith("4") && !after.startsWith("5")) {
				ScriptedSmtpServer.this.mails.add(new Mail(this.client, this.from, this.to, content.toString(),
						this.socket.getInetAddress().getHostAddress()));
			}
			return reply("BODY " + this.to, "250 2.0.0 Accepted");
		}

		/** Sends the scripted or the usual reply; false if the session ends. */
		private boolean reply(String stage, String usual) throws IOException, InterruptedException {
			awaitRelease(stage);
			String text = scripted(stage, usual);
			count(stage.toUpperCase(Locale.ROOT));
			if (text.startsWith(DROP)) {
				return false;
			}
			if (text.equals(STALL)) {
				ScriptedSmtpServer.this.closed.await();
				return false;
			}
			this.socket.getOutputStream().write((text.replace(HANG_UP, "") + "\r\n").getBytes(StandardCharsets.UTF_8));
			return !text.startsWith("421") && !text.endsWith(HANG_UP);
		}

		/** The scripted reply to the recipient or to all, or else the usual one. */
		private String scripted(String stage, String usual) {
			Map<String, String> script = ScriptedSmtpServer.this.script;
			String key = stage.toUpperCase(Locale.ROOT);
			return script.getOrDefault(key, script.getOrDefault(key.split(" ", -1)[0], usual));
		}

		/** Whether the scripted reply is not positive. */
		private boolean refuses(String stage) {
			String reply = scripted(stage, "250");
			return !reply.startsWith("2") && !reply.startsWith("3");
		}

		/** Counts a reply, and removes the last one of a number. */
		private void count(String key) {
			AtomicInteger times = ScriptedSmtpServer.this.remaining.get(key);
			if (times != null && times.decrementAndGet() == 0) {
				ScriptedSmtpServer.this.script.remove(key);
			}
		}

		private void awaitRelease(String stage) throws InterruptedException {
			CountDownLatch latch = ScriptedSmtpServer.this.held.get(stage.toUpperCase(Locale.ROOT));
			if (latch != null) {
				ScriptedSmtpServer.this.waiting.incrementAndGet();
				latch.await();
				ScriptedSmtpServer.this.waiting.decrementAndGet();
			}
		}

		private boolean upgrade() throws IOException {
			SSLContext context = ScriptedSmtpServer.this.tls;
			if (context != null) {
				SSLSocket secured = (SSLSocket) context.getSocketFactory()
					.createSocket(this.socket, this.socket.getInetAddress().getHostAddress(), this.socket.getPort(),
							true);
				secured.setUseClientMode(false);
				secured.startHandshake();
				this.socket = secured;
				this.in = reader(secured);
			}
			return true;
		}

		private static BufferedReader reader(Socket socket) throws IOException {
			return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
		}

	}

}
