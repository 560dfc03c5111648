package dev.mailroom.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** SMTP client in the role of a remote server. */
final class Smtp {

	private static final Duration READ_TIMEOUT = Duration.ofMinutes(1);

	private Smtp() {
	}

	/** Sends a mail and returns the first refusal or the reply to the final dot. */
	static String send(int port, String from, String to, String mail) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
				BufferedReader in = new BufferedReader(
						new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
			socket.setSoTimeout((int) READ_TIMEOUT.toMillis());
			String reply = readReply(in);
			for (String line : List.of("EHLO sender.test", "MAIL FROM:<" + from + ">", "RCPT TO:<" + to + ">", "DATA",
					mail.replace("\n", "\r\n") + ".")) {
				OutputStream out = socket.getOutputStream();
				out.write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
				out.flush();
				reply = readReply(in);
				if (reply.compareTo("400") > 0) {
					return reply;
				}
			}
			return reply;
		}
	}

	private static String readReply(BufferedReader in) throws IOException {
		String line = in.readLine();
		while (line != null && line.startsWith("-", 3)) {
			line = in.readLine();
		}
		if (line == null) {
			throw new IOException("The server closed the connection");
		}
		return line;
	}

}
