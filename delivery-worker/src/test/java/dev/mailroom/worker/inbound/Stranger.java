package dev.mailroom.worker.inbound;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Another server, which says to ours what it likes. */
final class Stranger implements AutoCloseable {

	private static final int PATIENCE_MILLIS = 30_000;

	private final Socket socket;

	private final BufferedReader in;

	Stranger(int port) {
		try {
			this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
			this.socket.setSoTimeout(PATIENCE_MILLIS);
			this.in = new BufferedReader(
					new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII));
			answer();
			say("EHLO stranger.in.test");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Says a line and returns the answer's last. */
	String say(String line) {
		write(line + "\r\n");
		return answer();
	}

	/**
	 * Sends a mail, whose last line is ended, and returns the answer to its end: or the
	 * first that is no yes.
	 */
	String send(String from, List<String> to, String mail) {
		List<String> answers = new ArrayList<>();
		answers.add(say("MAIL FROM:<" + from + ">"));
		to.forEach((each) -> answers.add(say("RCPT TO:<" + each + ">")));
		answers.add(say("DATA"));
		for (String answer : answers) {
			if (answer.compareTo("4") > 0) {
				return answer;
			}
		}
		return say(mail.replace("\n", "\r\n") + ".");
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

	private String answer() {
		try {
			String line = this.in.readLine();
			while (line != null && line.startsWith("-", 3)) {
				line = this.in.readLine();
			}
			return (line != null) ? line : "hung up";
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
