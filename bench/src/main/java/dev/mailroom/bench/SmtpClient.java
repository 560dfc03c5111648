package dev.mailroom.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An SMTP session that submits one mail after another. */
public final class SmtpClient implements AutoCloseable {

	private static final String LINE = "All work and no play makes a dull mail.\r\n";

	private static final int BODY_BYTES = 1024;

	private final Socket socket;

	private final BufferedReader in;

	public SmtpClient(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
		this.in = new BufferedReader(new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII));
		expect("220");
		call("EHLO client.test", "250");
	}

	/** Submits a mail of 1 KiB. */
	public void send(String recipient) throws IOException {
		call("MAIL FROM:<a@from.test>", "250");
		call("RCPT TO:<" + recipient + ">", "250");
		call("DATA", "354");
		call("Subject: Your order has left\r\n\r\n" + LINE.repeat(BODY_BYTES / LINE.length()) + ".", "250");
	}

	private void call(String command, String code) throws IOException {
		this.socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
		expect(code);
	}

	private void expect(String code) throws IOException {
		String line = this.in.readLine();
		while (line != null && line.length() > 3 && line.charAt(3) == '-') {
			line = this.in.readLine();
		}
		if (line == null || !line.startsWith(code)) {
			throw new IOException("Expected " + code + ": " + line);
		}
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
