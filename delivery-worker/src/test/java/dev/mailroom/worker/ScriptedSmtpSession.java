package dev.mailroom.worker;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** One session of a {@link ScriptedSmtpServer}. */
final class ScriptedSmtpSession implements Runnable {

	private final ScriptedSmtpServer server;

	private final Socket raw;

	private Socket socket;

	private BufferedReader in;

	private String from = "";

	private String to = "";

	ScriptedSmtpSession(ScriptedSmtpServer server, Socket socket) {
		this.server = server;
		this.raw = socket;
		this.socket = socket;
	}

	@Override
	public void run() {
		try {
			this.in = reader();
			boolean open = reply("GREETING", "220 scripted ESMTP");
			for (String line = open ? this.in.readLine() : null; line != null; line = open ? this.in.readLine()
					: null) {
				this.server.commands().add(line);
				open = answer(line);
			}
		}
		catch (IOException _) {
			// The client has closed the connection.
		}
		finally {
			ScriptedSmtpServer.close(this.raw);
		}
	}

	private boolean answer(String line) throws IOException {
		String verb = line.split("[ :]", -1)[0].toUpperCase(Locale.ROOT);
		String argument = line.contains("<") ? line.substring(line.indexOf('<') + 1, line.indexOf('>')) : "";
		return switch (verb) {
			case "EHLO" -> reply(verb, this.server.ehlo());
			case "MAIL" -> {
				this.from = argument;
				this.to = "";
				yield reply(verb, "250 2.1.0 Ok");
			}
			case "RCPT" -> recipient(argument);
			case "DATA" -> reply(verb, "354 Go on") && (this.server.refuses(verb) || receive());
			case "STARTTLS" -> reply(verb, "220 2.0.0 Go on") && upgrade();
			case "AUTH" -> reply(verb,
					line.toUpperCase(Locale.ROOT).startsWith("AUTH LOGIN") ? "334 VXNlcm5hbWU6" : "235 2.7.0 Ok");
			case "QUIT" -> {
				reply(verb, "221 2.0.0 Bye");
				yield false;
			}
			case "HELO", "RSET", "NOOP" -> reply(verb, "250 2.0.0 Ok");
			default -> reply(verb, "334 UGFzc3dvcmQ6");
		};
	}

	private boolean recipient(String recipient) throws IOException {
		String scripted = "RCPT " + recipient;
		if (this.server.refuses("MAIL")) {
			return reply("RCPT", "503 5.5.1 MAIL first");
		}
		if (!this.server.refuses("RCPT") && !this.server.refuses(scripted)) {
			this.to = recipient;
		}
		this.server.awaitRelease(recipient);
		boolean open = reply("RCPT", this.server.answerTo(scripted, "250 2.1.5 Ok"));
		this.server.given(scripted);
		return open;
	}

	private boolean receive() throws IOException {
		String before = this.server.answerTo("CONTENT", "");
		if (!before.isEmpty()) {
			return reply("CONTENT", before);
		}
		StringBuilder content = new StringBuilder();
		for (String line = this.in.readLine(); line != null && !line.equals("."); line = this.in.readLine()) {
			content.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
		}
		if (this.to.isEmpty()) {
			return reply("NOBODY", "554 5.5.1 No valid recipients");
		}
		String after = this.server.answerTo("BODY", "250");
		if (!after.startsWith("4") && !after.startsWith("5")) {
			this.server.mails().add(new ScriptedSmtpServer.Mail(this.from, this.to, content.toString()));
		}
		return reply("BODY", "250 2.0.0 Accepted");
	}

	/** Sends the scripted or the usual reply; false if the session is closed. */
	private boolean reply(String verb, String usual) throws IOException {
		String text = this.server.answerTo(verb, usual);
		if (text.startsWith(ScriptedSmtpServer.DROP)) {
			ScriptedSmtpServer.close(this.socket);
			return false;
		}
		if (text.equals(ScriptedSmtpServer.STALL)) {
			this.server.stall();
			return false;
		}
		OutputStream out = this.socket.getOutputStream();
		out.write((text.replace(ScriptedSmtpServer.HANG_UP, "") + "\r\n").getBytes(StandardCharsets.UTF_8));
		out.flush();
		return !text.startsWith("421") && !text.endsWith(ScriptedSmtpServer.HANG_UP);
	}

	private boolean upgrade() throws IOException {
		Optional<SSLContext> tls = this.server.tls();
		if (tls.isPresent()) {
			SSLSocket secured = (SSLSocket) tls.get()
				.getSocketFactory()
				.createSocket(this.socket, this.socket.getInetAddress().getHostAddress(), this.socket.getPort(), true);
			secured.setUseClientMode(false);
			secured.startHandshake();
			this.socket = secured;
			this.in = reader();
		}
		return true;
	}

	private BufferedReader reader() throws IOException {
		return new BufferedReader(new InputStreamReader(this.socket.getInputStream(), StandardCharsets.UTF_8));
	}

}
