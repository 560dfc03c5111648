package dev.mailroom.worker.smtp.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** SMTP client on a real socket that sends exactly the given bytes. */
final class SmtpTestClient implements AutoCloseable {

	private static final int READ_TIMEOUT_MILLIS = 60_000;

	private Socket socket;

	private BufferedReader replies;

	SmtpTestClient(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setSoTimeout(READ_TIMEOUT_MILLIS);
		this.replies = reader();
	}

	private BufferedReader reader() throws IOException {
		return new BufferedReader(new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII));
	}

	void send(String text) {
		try {
			this.socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
			this.socket.getOutputStream().flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads one reply per prefix and returns the last one with all of its lines. */
	String expect(String... prefixes) throws IOException {
		StringBuilder reply = new StringBuilder();
		for (String prefix : prefixes) {
			reply.setLength(0);
			String line = this.replies.readLine();
			while (line != null && line.length() > 3 && line.charAt(3) == '-') {
				reply.append(line).append('\n');
				line = this.replies.readLine();
			}
			assertThat(line).startsWith(prefix);
			reply.append(line);
		}
		return reply.toString();
	}

	/**
	 * Performs a TLS handshake and accepts any certificate.
	 * @return name of the server's certificate
	 */
	String startTls() throws IOException {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
			SSLSocket secured = (SSLSocket) context.getSocketFactory()
				.createSocket(this.socket, "localhost", this.socket.getPort(), true);
			secured.startHandshake();
			this.socket = secured;
			this.replies = reader();
			return secured.getSession().getPeerPrincipal().getName();
		}
		catch (GeneralSecurityException ex) {
			throw new IOException(ex);
		}
	}

	/** Waits until the server closes the connection; false if it sends more instead. */
	boolean isClosed() throws IOException {
		return this.replies.read() < 0;
	}

	/** Initial response of AUTH PLAIN. */
	static String plain(String user, String password) {
		return base64("\0" + user + "\0" + password);
	}

	static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
