package dev.mailroom.worker.inbound;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/**
 * The other ends of the two scanners' protocols. What they answer stands in the mail
 * itself: {@code X-Rspamd: reject}, {@code X-Clam: FOUND}; {@code break} breaks them.
 */
final class ScriptedScanners {

	private static final byte[] INSTREAM = "zINSTREAM\0".getBytes(StandardCharsets.US_ASCII);

	private final ServerSocket clam;

	private final HttpServer rspamd;

	private final List<String> asked = new CopyOnWriteArrayList<>();

	ScriptedScanners() {
		try {
			this.clam = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
			this.rspamd = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.rspamd.createContext("/", this::judge);
		this.rspamd.start();
		Thread.ofPlatform().daemon().start(this::serve);
	}

	String clamAddress() {
		return "127.0.0.1:" + this.clam.getLocalPort();
	}

	String rspamdUrl() {
		return "http://127.0.0.1:" + this.rspamd.getAddress().getPort() + "/";
	}

	/** What the spam filter was told of each mail, beside the mail. */
	List<String> asked() {
		return this.asked;
	}

	private void judge(HttpExchange exchange) throws IOException {
		try (exchange) {
			String mail = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
			this.asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
					+ String.join(" ",
							Stream.of("IP", "Helo", "From", "Rcpt", "Password")
								.map((name) -> name + "=" + exchange.getRequestHeaders().get(name))
								.toList()));
			String action = said(mail, "X-Rspamd: ", "no action");
			byte[] answer = (action.equals("break") ? "oops" : "{\"action\": \"" + action.replace(" skipped", "")
					+ "\", \"score\": 1.5, \"is_skipped\": " + action.endsWith(" skipped") + "}")
				.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
		}
	}

	private void serve() {
		while (!this.clam.isClosed()) {
			try {
				Socket socket = this.clam.accept();
				Thread.ofVirtual().start(() -> scan(socket));
			}
			catch (IOException _) {
				// Closed.
			}
		}
	}

	private void scan(Socket socket) {
		try (socket; DataInputStream in = new DataInputStream(socket.getInputStream())) {
			if (!Arrays.equals(in.readNBytes(INSTREAM.length), INSTREAM)) {
				return;
			}
			StringBuilder mail = new StringBuilder();
			for (int length = in.readInt(); length != 0; length = in.readInt()) {
				mail.append(new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
				if (said(mail.toString(), "X-Clam: ", "OK").equals("break")) {
					return;
				}
			}
			OutputStream out = socket.getOutputStream();
			out.write(
					("stream: " + said(mail.toString(), "X-Clam: ", "OK") + "\0").getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException _) {
			// Whoever asked has hung up.
		}
	}

	private static String said(String mail, String header, String otherwise) {
		int from = mail.indexOf(header);
		return (from < 0) ? otherwise : mail.substring(from + header.length(), mail.indexOf("\r\n", from));
	}

}
