package dev.mailroom.bench;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An SMTP server that takes every mail and forgets it: the other end of a measurement.
 */
final class Sink implements AutoCloseable {

	private static final byte[] GREETING = reply("220 sink ESMTP");

	private static final byte[] EHLO = reply("250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 50000000");

	private static final byte[] OK = reply("250 2.0.0 Ok");

	private static final byte[] GO_ON = reply("354 End with a dot");

	private static final byte[] BYE = reply("221 2.0.0 Bye");

	private final AtomicLong mails = new AtomicLong();

	private final ServerSocket server;

	Sink() throws IOException {
		this.server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
		Thread.ofVirtual().start(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	/** How many mails were answered with 250 so far. */
	long mails() {
		return this.mails.get();
	}

	private void accept() {
		try {
			while (!this.server.isClosed()) {
				Socket socket = this.server.accept();
				socket.setTcpNoDelay(true);
				Thread.ofVirtual().start(() -> serve(socket));
			}
		}
		catch (IOException _) {
			// Closed: the measurement is over.
		}
	}

	private void serve(Socket socket) {
		try (socket;
				InputStream in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
				OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 1 << 14)) {
			out.write(GREETING);
			out.flush();
			for (String line = line(in); line != null; line = line(in)) {
				out.write(answer(line, in, out));
				// A pipelined flight is answered in one.
				if (in.available() == 0) {
					out.flush();
				}
			}
		}
		catch (IOException _) {
			// The client went away; so does this conversation.
		}
	}

	private byte[] answer(String line, InputStream in, OutputStream out) throws IOException {
		String verb = line.substring(0, Math.min(4, line.length())).toUpperCase(java.util.Locale.ROOT);
		return switch (verb) {
			case "EHLO", "HELO" -> EHLO;
			case "DATA" -> {
				out.write(GO_ON);
				out.flush();
				skipBody(in);
				this.mails.incrementAndGet();
				yield OK;
			}
			case "QUIT" -> BYE;
			default -> OK;
		};
	}

	/** Reads to CRLF.CRLF. */
	private static void skipBody(InputStream in) throws IOException {
		int matched = 2;
		byte[] end = { '\r', '\n', '.', '\r', '\n' };
		while (matched < end.length) {
			int octet = in.read();
			if (octet < 0) {
				throw new IOException("cut off");
			}
			matched = (octet == end[matched]) ? matched + 1 : ((octet == '\r') ? 1 : 0);
		}
	}

	private static String line(InputStream in) throws IOException {
		StringBuilder line = new StringBuilder();
		for (int octet = in.read(); octet >= 0; octet = in.read()) {
			if (octet == '\n') {
				return line.toString().stripTrailing();
			}
			line.append((char) octet);
		}
		return null;
	}

	private static byte[] reply(String text) {
		return (text + "\r\n").getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
