package dev.mailroom.worker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;

/**
 * SMTP server on a real socket. It accepts every mail unless a reply is scripted for a
 * command or a recipient: a text, {@link #DROP} to close the connection, or
 * {@link #STALL} to send nothing until the server is closed.
 */
public final class ScriptedSmtpServer implements AutoCloseable {

	/** Closes the connection instead of a reply. */
	public static final String DROP = "drop";

	/** Sends no reply. */
	public static final String STALL = "stall";

	/** Suffix of a reply after which the connection is closed. */
	public static final String HANG_UP = " and hangs up";

	private final ServerSocket server;

	private final Map<String, String> script = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> remaining = new ConcurrentHashMap<>();

	private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();

	private final List<Mail> mails = new CopyOnWriteArrayList<>();

	private final List<String> commands = new CopyOnWriteArrayList<>();

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final AtomicInteger sessions = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile List<String> extensions = List.of("PIPELINING", "8BITMIME", "SIZE 1000000");

	private volatile SSLContext tls;

	public ScriptedSmtpServer() {
		this(0);
	}

	public ScriptedSmtpServer(int port) {
		this(InetAddress.getLoopbackAddress(), port);
	}

	public ScriptedSmtpServer(InetAddress address, int port) {
		try {
			this.server = new ServerSocket(port, 128, address);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Thread.ofVirtual().start(this::accept);
	}

	/** A received mail without dot stuffing. */
	public record Mail(String mailFrom, String rcptTo, String content) {
	}

	public int port() {
		return this.server.getLocalPort();
	}

	public List<Mail> mails() {
		return this.mails;
	}

	/** Lines received from all clients, without message bodies. */
	public List<String> commands() {
		return this.commands;
	}

	/** Number of accepted connections. */
	public int sessions() {
		return this.sessions.get();
	}

	/** Sets the extensions announced in the reply to EHLO. */
	public ScriptedSmtpServer offering(String... extensions) {
		this.extensions = List.of(extensions);
		return this;
	}

	/** Sets the context for STARTTLS. */
	public ScriptedSmtpServer withTls(SSLContext context) {
		this.tls = context;
		return this;
	}

	/**
	 * Sets the reply to a verb, {@code RCPT someone@x.test}, {@code CONTENT} (before it
	 * is read), {@code BODY} (the final dot) or {@code GREETING}.
	 */
	public ScriptedSmtpServer answer(String to, String with) {
		this.script.put(to.toUpperCase(Locale.ROOT), with);
		return this;
	}

	/** Sets a reply that is sent only a number of times. */
	public ScriptedSmtpServer answer(String to, String with, int times) {
		this.remaining.put(to.toUpperCase(Locale.ROOT), new AtomicInteger(times));
		return answer(to, with);
	}

	/**
	 * Withholds the reply to a recipient until the latch is released.
	 * @return the latch
	 */
	public CountDownLatch hold(String recipient) {
		CountDownLatch latch = new CountDownLatch(1);
		this.held.put(recipient.toUpperCase(Locale.ROOT), latch);
		return latch;
	}

	/** Waits until the reply to a recipient may be sent. */
	void awaitRelease(String recipient) {
		CountDownLatch latch = this.held.get(recipient.toUpperCase(Locale.ROOT));
		try {
			if (latch != null) {
				latch.await();
			}
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	/** Counts a sent reply. */
	void given(String verb) {
		AtomicInteger times = this.remaining.get(verb.toUpperCase(Locale.ROOT));
		if (times != null && times.decrementAndGet() == 0) {
			this.script.remove(verb.toUpperCase(Locale.ROOT));
		}
	}

	/** Removes all scripted replies. */
	public void behave() {
		this.held.values().forEach(CountDownLatch::countDown);
		this.held.clear();
		this.remaining.clear();
		this.script.clear();
	}

	private void accept() {
		try {
			while (!this.server.isClosed()) {
				Socket socket = this.server.accept();
				this.sockets.add(socket);
				this.sessions.incrementAndGet();
				Thread.ofVirtual().start(new ScriptedSmtpSession(this, socket));
			}
		}
		catch (IOException _) {
			// The server was closed.
		}
	}

	/** The scripted reply, or else the usual one. */
	String answerTo(String verb, String usual) {
		return this.script.getOrDefault(verb.toUpperCase(Locale.ROOT), usual);
	}

	/** Whether the scripted reply is not positive. */
	boolean refuses(String verb) {
		String reply = answerTo(verb, "250");
		return !reply.startsWith("2") && !reply.startsWith("3");
	}

	String ehlo() {
		StringBuilder reply = new StringBuilder("250-scripted");
		this.extensions.forEach((extension) -> reply.append("\r\n250-").append(extension));
		return reply.append("\r\n250 ENHANCEDSTATUSCODES").toString();
	}

	/** Waits until the server is closed. */
	void stall() {
		try {
			this.closed.await();
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
		}
	}

	Optional<SSLContext> tls() {
		return Optional.ofNullable(this.tls);
	}

	static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException _) {
			// It was closed already.
		}
	}

	@Override
	public void close() {
		behave();
		this.closed.countDown();
		try {
			this.server.close();
		}
		catch (IOException _) {
			// It was closed already.
		}
		this.sockets.forEach(ScriptedSmtpServer::close);
	}

}
