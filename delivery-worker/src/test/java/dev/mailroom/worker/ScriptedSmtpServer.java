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
 * An SMTP server of the tests' own, on a real socket. It takes every mail unless its
 * script says otherwise for a verb or a recipient: an answer, or {@link #DROP} to hang
 * up, or {@link #STALL} to say nothing until it is closed.
 */
public final class ScriptedSmtpServer implements AutoCloseable {

	/** Hangs up in place of an answer. */
	public static final String DROP = "drop";

	/** Says nothing. */
	public static final String STALL = "stall";

	/** Behind an answer: hangs up after it. */
	public static final String HANG_UP = " and hangs up";

	private final ServerSocket server;

	private final Map<String, String> script = new ConcurrentHashMap<>();

	private final Map<String, AtomicInteger> left = new ConcurrentHashMap<>();

	private final List<Mail> mails = new CopyOnWriteArrayList<>();

	private final List<String> commands = new CopyOnWriteArrayList<>();

	private final List<Socket> open = new CopyOnWriteArrayList<>();

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

	/** A mail as it arrived, unstuffed. */
	public record Mail(String mailFrom, String rcptTo, String content) {
	}

	public int port() {
		return this.server.getLocalPort();
	}

	public List<Mail> mails() {
		return this.mails;
	}

	/** Every line that clients sent outside of bodies. */
	public List<String> commands() {
		return this.commands;
	}

	/** How many sessions were begun. */
	public int sessions() {
		return this.sessions.get();
	}

	/** What EHLO offers. */
	public ScriptedSmtpServer offering(String... extensions) {
		this.extensions = List.of(extensions);
		return this;
	}

	/** Offers STARTTLS with this context. */
	public ScriptedSmtpServer withTls(SSLContext context) {
		this.tls = context;
		return this;
	}

	/**
	 * Answers a verb, {@code RCPT someone@x.test}, {@code CONTENT} (before it is read),
	 * {@code BODY} (the dot) or {@code GREETING} so from now on.
	 */
	public ScriptedSmtpServer answer(String to, String with) {
		this.script.put(to.toUpperCase(Locale.ROOT), with);
		return this;
	}

	/** The same, but only so many times. */
	public ScriptedSmtpServer answer(String to, String with, int times) {
		this.left.put(to.toUpperCase(Locale.ROOT), new AtomicInteger(times));
		return answer(to, with);
	}

	/** Takes note that an answer was given. */
	void given(String verb) {
		AtomicInteger times = this.left.get(verb.toUpperCase(Locale.ROOT));
		if (times != null && times.decrementAndGet() == 0) {
			this.script.remove(verb.toUpperCase(Locale.ROOT));
		}
	}

	/** Forgets the script. */
	public void behave() {
		this.left.clear();
		this.script.clear();
	}

	private void accept() {
		try {
			while (!this.server.isClosed()) {
				Socket socket = this.server.accept();
				this.open.add(socket);
				this.sessions.incrementAndGet();
				Thread.ofVirtual().start(new ScriptedSmtpSession(this, socket));
			}
		}
		catch (IOException _) {
			// Closed.
		}
	}

	/** What the script has for it, or else the usual. */
	String answerTo(String verb, String usual) {
		return this.script.getOrDefault(verb.toUpperCase(Locale.ROOT), usual);
	}

	/** Whether the script has anything but yes for it. */
	boolean refuses(String verb) {
		String answer = answerTo(verb, "250");
		return !answer.startsWith("2") && !answer.startsWith("3");
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
		this.closed.countDown();
		try {
			this.server.close();
		}
		catch (IOException _) {
			// It was closed already.
		}
		this.open.forEach(ScriptedSmtpServer::close);
	}

}
