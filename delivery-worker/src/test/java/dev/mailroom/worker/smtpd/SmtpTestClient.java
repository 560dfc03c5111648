package dev.mailroom.worker.smtpd;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** A client that says exactly what a test tells it. */
final class SmtpTestClient implements AutoCloseable {

	private static final int PATIENCE = 20_000;

	private Socket socket;

	private BufferedReader replies;

	SmtpTestClient(int port) throws IOException {
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setSoTimeout(PATIENCE);
		this.replies = reader();
	}

	private BufferedReader reader() throws IOException {
		return new BufferedReader(new InputStreamReader(this.socket.getInputStream(), StandardCharsets.US_ASCII));
	}

	void say(String text) throws IOException {
		this.socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
		this.socket.getOutputStream().flush();
	}

	void sayAll(String text) {
		try {
			say(text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Reads as many replies as there are beginnings, and returns the last one whole. */
	String hears(String... beginnings) throws IOException {
		StringBuilder reply = new StringBuilder();
		for (String beginning : beginnings) {
			reply.setLength(0);
			String line = this.replies.readLine();
			while (line != null && line.length() > 3 && line.charAt(3) == '-') {
				reply.append(line).append('\n');
				line = this.replies.readLine();
			}
			assertThat(line).startsWith(beginning);
			reply.append(line);
		}
		return reply.toString();
	}

	void encrypt() throws IOException {
		try {
			SSLContext context = SSLContext.getInstance("TLS");
			TrustManager[] anybody = InsecureTrustManagerFactory.INSTANCE.getTrustManagers();
			context.init(null, anybody, null);
			SSLSocket secured = (SSLSocket) context.getSocketFactory()
				.createSocket(this.socket, "localhost", this.socket.getPort(), true);
			secured.startHandshake();
			this.socket = secured;
			this.replies = reader();
		}
		catch (GeneralSecurityException ex) {
			throw new IOException(ex);
		}
	}

	boolean isClosed() throws IOException {
		return this.replies.read() < 0;
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
