package dev.mailroom.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

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

	private final ServerSocket server;

	private final Map<String, String> script = new ConcurrentHashMap<>();

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
		try {
			this.server = new ServerSocket(port, 128, InetAddress.getLoopbackAddress());
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
	 * Answers a verb, {@code RCPT someone@x.test}, {@code BODY} (the dot) or
	 * {@code GREETING} so from now on.
	 */
	public ScriptedSmtpServer answer(String to, String with) {
		this.script.put(to.toUpperCase(Locale.ROOT), with);
		return this;
	}

	/** Forgets the script. */
	public void behave() {
		this.script.clear();
	}

	private void accept() {
		try {
			while (!this.server.isClosed()) {
				Socket socket = this.server.accept();
				this.open.add(socket);
				this.sessions.incrementAndGet();
				Thread.ofVirtual().start(() -> serve(socket));
			}
		}
		catch (IOException _) {
			// Closed.
		}
	}

	private void serve(Socket raw) {
		Socket socket = raw;
		try {
			if (!say(socket, "GREETING", "220 scripted ESMTP")) {
				return;
			}
			BufferedReader in = reader(socket);
			String from = "";
			String to = "";
			for (String line = in.readLine(); line != null; line = in.readLine()) {
				this.commands.add(line);
				String verb = line.split("[ :]")[0].toUpperCase(Locale.ROOT);
				String argument = line.contains("<") ? line.substring(line.indexOf('<') + 1, line.indexOf('>')) : "";
				boolean goOn = switch (verb) {
					case "EHLO" -> say(socket, verb, ehlo());
					case "MAIL" -> {
						from = argument;
						to = "";
						yield say(socket, verb, "250 2.1.0 Ok");
					}
					case "RCPT" -> {
						String own = this.script.get("RCPT " + argument.toUpperCase(Locale.ROOT));
						boolean early = refused("MAIL");
						to = (own == null && !refused(verb) && !early) ? argument : to;
						yield say(socket, (own != null) ? verb + " " + argument : verb,
								early ? "503 5.5.1 MAIL first" : "250 2.1.5 Ok");
					}
					case "DATA" -> say(socket, verb, "354 Go on") && (refused(verb) || take(socket, in, from, to));
					case "STARTTLS" -> {
						boolean said = say(socket, verb, "220 2.0.0 Go on");
						if (said && this.tls != null) {
							socket = upgrade(socket);
							in = reader(socket);
						}
						yield said;
					}
					case "AUTH" -> say(socket, verb, line.toUpperCase(Locale.ROOT).startsWith("AUTH LOGIN")
							? "334 VXNlcm5hbWU6" : "235 2.7.0 Ok");
					case "QUIT" -> {
						say(socket, verb, "221 2.0.0 Bye");
						yield false;
					}
					case "RSET", "NOOP" -> say(socket, verb, "250 2.0.0 Ok");
					default -> say(socket, verb, "334 UGFzc3dvcmQ6");
				};
				if (!goOn) {
					return;
				}
			}
		}
		catch (IOException _) {
			// The client went away.
		}
		finally {
			close(raw);
		}
	}

	private boolean refused(String verb) {
		String answer = this.script.get(verb);
		return answer != null && !answer.startsWith("2") && !answer.startsWith("3");
	}

	private String ehlo() {
		StringBuilder reply = new StringBuilder("250-scripted");
		this.extensions.forEach((extension) -> reply.append("\r\n250-").append(extension));
		return reply.append("\r\n250 ENHANCEDSTATUSCODES").toString();
	}

	private boolean take(Socket socket, BufferedReader in, String from, String to) throws IOException {
		StringBuilder content = new StringBuilder();
		for (String line = in.readLine(); line != null && !line.equals("."); line = in.readLine()) {
			content.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
		}
		if (to.isEmpty()) {
			return say(socket, "NOBODY", "554 5.5.1 No valid recipients");
		}
		if (!this.script.getOrDefault("BODY", "2").startsWith("4")
				&& !this.script.getOrDefault("BODY", "2").startsWith("5")
				&& !this.script.getOrDefault("BODY", "").equals("drop-before")) {
			this.mails.add(new Mail(from, to, content.toString()));
		}
		return say(socket, "BODY", "250 2.0.0 Taken");
	}

	/** Says what the script has, or else the usual; false where the session is over. */
	private boolean say(Socket socket, String to, String usual) throws IOException {
		String text = this.script.getOrDefault(to.toUpperCase(Locale.ROOT), usual);
		if (text.startsWith(DROP)) {
			close(socket);
			return false;
		}
		if (text.equals(STALL)) {
			try {
				this.closed.await();
			}
			catch (InterruptedException _) {
				Thread.currentThread().interrupt();
			}
			return false;
		}
		OutputStream out = socket.getOutputStream();
		out.write((text + "\r\n").getBytes(StandardCharsets.UTF_8));
		out.flush();
		return !text.startsWith("421");
	}

	private Socket upgrade(Socket socket) throws IOException {
		SSLSocket secured = (SSLSocket) this.tls.getSocketFactory()
			.createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
		secured.setUseClientMode(false);
		secured.startHandshake();
		return secured;
	}

	private static BufferedReader reader(Socket socket) throws IOException {
		return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
	}

	private static void close(Socket socket) {
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
