package dev.mailroom.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * SMTP server that accepts and discards every mail, and counts those to {@value #DOMAIN},
 * which leaves out the platform's own mail. It records the time of those to recipients
 * whose address begins with {@value #TIMED}.
 * <p>
 * It runs on the processors that are measured, up to thousands of mails a second. It
 * therefore reads bytes into one buffer and keeps no mail, unlike the server of the
 * tests, which decodes and keeps all of them.
 */
public final class Sink implements AutoCloseable {

	private static final byte[] GREETING = bytes("220 sink\r\n");

	private static final byte[] AWAY = bytes("421 4.3.2 away\r\n");

	private static final byte[] EHLO = bytes("250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n");

	private static final byte[] OK = bytes("250 2.0.0 ok\r\n");

	private static final byte[] GO_ON = bytes("354 go on\r\n");

	private static final byte[] BYE = bytes("221 bye\r\n");

	/** Domain of the counted recipients. */
	public static final String DOMAIN = "to.test";

	/** First letter of the addresses of timed mails. */
	public static final char TIMED = 'q';

	/** Position of the address in RCPT TO:&lt;address&gt;. */
	private static final int ADDRESS = 9;

	private final Map<String, Long> times = new ConcurrentHashMap<>();

	private volatile boolean away;

	/** Time that the server takes for each mail. */
	private volatile long delayMillis;

	private final ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());

	private final AtomicLong accepted = new AtomicLong();

	private final AtomicLong begun = new AtomicLong();

	public Sink() throws IOException {
		Thread.ofPlatform().daemon().name("sink").start(this::listen);
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/** Number of accepted mails to {@value #DOMAIN}. */
	public long accepted() {
		return this.accepted.get();
	}

	/**
	 * Time of the reply to the body, on the clock of {@link System#nanoTime()}, by
	 * recipient.
	 */
	public Map<String, Long> times() {
		return this.times;
	}

	/** Sets whether new sessions are refused and open ones are closed. */
	public void away(boolean away) {
		this.away = away;
	}

	/** Number of transactions that clients have begun. */
	public long begun() {
		return this.begun.get();
	}

	/** Sets the time that the server takes for each mail. */
	public void delay(Duration time) {
		this.delayMillis = time.toMillis();
	}

	private void listen() {
		while (!this.server.isClosed()) {
			try {
				Socket socket = this.server.accept();
				socket.setTcpNoDelay(true);
				Thread.ofPlatform().daemon().start(() -> serve(socket));
			}
			catch (IOException _) {
				return;
			}
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			new Session(socket.getInputStream(), socket.getOutputStream()).run();
		}
		catch (IOException | UncheckedIOException _) {
			// The client has closed the connection.
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/** One session. Replies are flushed when no more input is available. */
	private final class Session {

		private final InputStream in;

		private final OutputStream out;

		private final byte[] buffer = new byte[1 << 16];

		private final byte[] replies = new byte[1 << 16];

		private int replyLength;

		private int from;

		private int to;

		/** Beginning of the current command. */
		private final byte[] line = new byte[128];

		private String recipient = "";

		Session(InputStream in, OutputStream out) {
			this.in = in;
			this.out = out;
		}

		void run() throws IOException {
			reply(Sink.this.away ? AWAY : GREETING);
			while (true) {
				int first = Sink.this.away ? -1 : command();
				switch (first) {
					case 'E', 'H' -> reply(EHLO);
					case 'M' -> {
						Sink.this.begun.incrementAndGet();
						reply(OK);
					}
					case 'D' -> {
						reply(GO_ON);
						body();
						delay();
						reply(OK);
						if (this.recipient.charAt(0) == TIMED) {
							flush();
						}
						count();
					}
					case 'R' -> {
						this.recipient = recipient();
						reply(OK);
					}
					case 'Q' -> {
						reply(BYE);
						flush();
						return;
					}
					case -1 -> {
						flush();
						return;
					}
					default -> reply(OK);
				}
			}
		}

		private void delay() throws IOException {
			long millis = Sink.this.delayMillis;
			if (millis > 0) {
				flush();
				try {
					Thread.sleep(millis);
				}
				catch (InterruptedException _) {
					Thread.currentThread().interrupt();
				}
			}
		}

		private void count() {
			if (this.recipient.charAt(0) == TIMED) {
				Sink.this.times.put(this.recipient, System.nanoTime());
			}
			if (this.recipient.endsWith(DOMAIN)) {
				Sink.this.accepted.incrementAndGet();
			}
		}

		/** Reads a line and returns its first letter, or -1 at the end. */
		private int command() throws IOException {
			int first = next();
			int last = first;
			int length = 0;
			while (last != '\n' && last != -1) {
				if (length < this.line.length) {
					this.line[length++] = (byte) last;
				}
				last = next();
			}
			return (last == -1) ? -1 : first & ~0x20;
		}

		private String recipient() {
			int end = ADDRESS;
			while (this.line[end] != '>') {
				end++;
			}
			return new String(this.line, ADDRESS, end - ADDRESS, StandardCharsets.US_ASCII);
		}

		private void body() throws IOException {
			// Matches CRLF . CRLF; the CRLF before the dot may be DATA's own.
			int matched = 2;
			while (matched < 5) {
				int b = next();
				if (b == -1) {
					throw new IOException("The client closed the connection");
				}
				matched = switch (b) {
					case '\r' -> (matched == 3) ? 4 : 1;
					case '\n' -> (matched == 4) ? 5 : (matched == 1) ? 2 : 0;
					case '.' -> (matched == 2) ? 3 : 0;
					default -> 0;
				};
			}
		}

		private int next() throws IOException {
			if (this.from == this.to) {
				flush();
				this.from = 0;
				this.to = this.in.read(this.buffer);
				if (this.to <= 0) {
					this.to = 0;
					return -1;
				}
			}
			return this.buffer[this.from++];
		}

		private void reply(byte[] line) throws IOException {
			if (this.replyLength + line.length > this.replies.length) {
				flush();
			}
			System.arraycopy(line, 0, this.replies, this.replyLength, line.length);
			this.replyLength += line.length;
		}

		private void flush() throws IOException {
			if (this.replyLength > 0) {
				this.out.write(this.replies, 0, this.replyLength);
				this.replyLength = 0;
			}
		}

	}

}
