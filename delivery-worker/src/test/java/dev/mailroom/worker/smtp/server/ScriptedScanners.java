package dev.mailroom.worker.smtp.server;

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
 * Servers with the protocols of Rspamd and ClamAV. A header field of the mail determines
 * the result: {@code X-Rspamd: reject}, {@code X-Clam: FOUND}; {@code break} leads to a
 * malformed or missing reply.
 */
final class ScriptedScanners implements AutoCloseable {

	private static final byte[] INSTREAM = "zINSTREAM\0".getBytes(StandardCharsets.US_ASCII);

	private final ServerSocket clam;

	private final HttpServer rspamd;

	private final List<String> requests = new CopyOnWriteArrayList<>();

	ScriptedScanners() {
		try {
			this.clam = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
			this.rspamd = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.rspamd.createContext("/", this::check);
		this.rspamd.start();
		Thread.ofPlatform().daemon().start(this::accept);
	}

	String clamAddress() {
		return "127.0.0.1:" + this.clam.getLocalPort();
	}

	String rspamdUrl() {
		return "http://127.0.0.1:" + this.rspamd.getAddress().getPort() + "/";
	}

	/** Request line and header fields of each request to the spam filter. */
	List<String> requests() {
		return this.requests;
	}

	private void check(HttpExchange exchange) throws IOException {
		try (exchange) {
			String mail = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
			this.requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
					+ String.join(" ",
							Stream.of("IP", "Helo", "From", "Rcpt", "Password")
								.map((name) -> name + "=" + exchange.getRequestHeaders().get(name))
								.toList()));
			String action = field(mail, "X-Rspamd: ", "no action");
			byte[] response = (action.equals("break") ? "oops" : "{\"action\": \"" + action.replace(" skipped", "")
					+ "\", \"score\": 1.5, \"is_skipped\": " + action.endsWith(" skipped") + "}")
				.getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, response.length);
			exchange.getResponseBody().write(response);
		}
	}

	private void accept() {
		try {
			while (!this.clam.isClosed()) {
				Socket socket = this.clam.accept();
				Thread.ofVirtual().start(() -> scan(socket));
			}
		}
		catch (IOException _) {
			// The server was closed.
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
				if (field(mail.toString(), "X-Clam: ", "OK").equals("break")) {
					return;
				}
			}
			OutputStream out = socket.getOutputStream();
			out.write(
					("stream: " + field(mail.toString(), "X-Clam: ", "OK") + "\0").getBytes(StandardCharsets.US_ASCII));
		}
		catch (IOException _) {
			// The client has closed the connection.
		}
	}

	private static String field(String mail, String name, String defaultValue) {
		int from = mail.indexOf(name);
		return (from < 0) ? defaultValue : mail.substring(from + name.length(), mail.indexOf("\r\n", from));
	}

	@Override
	public void close() throws IOException {
		this.rspamd.stop(0);
		this.clam.close();
	}

}
