package dev.mailroom.system.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** An SMTP server that takes every mail, keeps none and counts them. */
final class Sink implements AutoCloseable {

	private static final byte[] GREETING = bytes("220 sink\r\n");

	private static final byte[] EHLO = bytes("250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n");

	private static final byte[] OK = bytes("250 2.0.0 ok\r\n");

	private static final byte[] GO_ON = bytes("354 go on\r\n");

	private static final byte[] BYE = bytes("221 bye\r\n");

	private final ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());

	private final AtomicLong taken = new AtomicLong();

	Sink() throws IOException {
		Thread.ofPlatform().daemon().name("sink").start(this::listen);
	}

	int port() {
		return this.server.getLocalPort();
	}

	/** Mails that were answered 250. */
	long taken() {
		return this.taken.get();
	}

	private void listen() {
		while (!this.server.isClosed()) {
			try {
				Socket socket = this.server.accept();
				socket.setTcpNoDelay(true);
				Thread.ofPlatform().daemon().start(() -> converse(socket));
			}
			catch (IOException _) {
				return;
			}
		}
	}

	private void converse(Socket socket) {
		try (socket) {
			new Conversation(socket.getInputStream(), socket.getOutputStream()).run();
		}
		catch (IOException | UncheckedIOException _) {
			// Whoever hangs up is gone.
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	/** One session: commands as they come, answered as soon as nothing more is there. */
	private final class Conversation {

		private final InputStream in;

		private final OutputStream out;

		private final byte[] buffer = new byte[1 << 16];

		private final byte[] answers = new byte[1 << 16];

		private int answered;

		private int from;

		private int to;

		Conversation(InputStream in, OutputStream out) {
			this.in = in;
			this.out = out;
		}

		void run() throws IOException {
			answer(GREETING);
			while (true) {
				int first = command();
				switch (first) {
					case 'E', 'H' -> answer(EHLO);
					case 'D' -> {
						answer(GO_ON);
						body();
						Sink.this.taken.incrementAndGet();
						answer(OK);
					}
					case 'Q' -> {
						answer(BYE);
						flush();
						return;
					}
					case -1 -> {
						return;
					}
					default -> answer(OK);
				}
			}
		}

		/** Reads a line and returns its first letter, or -1 at the end. */
		private int command() throws IOException {
			int first = next();
			int last = first;
			while (last != '\n' && last != -1) {
				last = next();
			}
			return (last == -1) ? -1 : first & ~0x20;
		}

		private void body() throws IOException {
			// Matches CRLF . CRLF; the CRLF before the dot may be DATA's own.
			int matched = 2;
			while (matched < 5) {
				int b = next();
				if (b == -1) {
					throw new IOException("gone");
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

		private void answer(byte[] line) throws IOException {
			if (this.answered + line.length > this.answers.length) {
				flush();
			}
			System.arraycopy(line, 0, this.answers, this.answered, line.length);
			this.answered += line.length;
		}

		private void flush() throws IOException {
			if (this.answered > 0) {
				this.out.write(this.answers, 0, this.answered);
				this.answered = 0;
			}
		}

	}

}
