package dev.mailroom.worker.smtp.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A remote server that sends mail to the listener under test. */
final class SendingServer implements AutoCloseable {

	private static final int READ_TIMEOUT_MILLIS = 30_000;

	private final Socket socket;

	private final BufferedReader in;

	SendingServer(int port) {
		this(port, InetAddress.getLoopbackAddress());
	}

	/** Connects from an address of this machine. */
	SendingServer(int port, InetAddress from) {
		try {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
			this.socket.setSoTimeout(READ_TIMEOUT_MILLIS);
			this.in = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII));
			readReply();
			command("EHLO sender.in.test");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Sends a line and returns the last line of the reply. */
	String command(String line) {
		write(line + "\r\n");
		return readReply();
	}

	/**
	 * Sends a mail and returns the reply to the final dot, or the first refusal.
	 * @param mail lines terminated by LF
	 */
	String send(String from, List<String> to, String mail) {
		List<String> replies = new ArrayList<>();
		replies.add(command("MAIL FROM:<" + from + ">"));
		to.forEach((recipient) -> replies.add(command("RCPT TO:<" + recipient + ">")));
		replies.add(command("DATA"));
		for (String reply : replies) {
			if (reply.compareTo("4") > 0) {
				return reply;
			}
		}
		return command(mail.replace("\n", "\r\n") + ".");
	}

	private void write(String text) {
		try {
			this.socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
			this.socket.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String readReply() {
		try {
			String line = this.in.readLine();
			while (line != null && line.startsWith("-", 3)) {
				line = this.in.readLine();
			}
			return (line != null) ? line : "connection closed";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
