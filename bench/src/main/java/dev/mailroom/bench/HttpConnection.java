package dev.mailroom.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.UUID;

/**
 * An HTTP connection on a plain socket, which takes little CPU time from the programs
 * that are measured.
 */
public final class HttpConnection implements AutoCloseable {

	private static final int ID_LENGTH = 36;

	private final Socket socket;

	private final Collection<UUID> ids;

	private final byte[] response = new byte[1 << 16];

	/**
	 * Connects to a port of this machine.
	 * @param ids receives the ids of the mails that are accepted
	 */
	public HttpConnection(int port, Collection<UUID> ids) throws IOException {
		this.ids = ids;
		this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
		this.socket.setTcpNoDelay(true);
	}

	/** A POST request as it is sent. */
	public static byte[] request(String path, String key, String body) {
		byte[] content = body.getBytes(StandardCharsets.UTF_8);
		String head = "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
				+ "\r\nContent-Type: application/json\r\nContent-Length: " + content.length + "\r\n\r\n";
		return (head + body).getBytes(StandardCharsets.UTF_8);
	}

	/** Sends a request and reads the response; fails if that is not a success. */
	public void post(byte[] request) throws IOException {
		this.socket.getOutputStream().write(request);
		int length = expectSuccess(this.socket.getInputStream(), this.response);
		if (!collect("\"emailId\":\"", length)) {
			collect("\"id\":\"", length);
		}
	}

	/** Collects the ids after a name in the response. */
	private boolean collect(String name, int length) {
		byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
		boolean found = false;
		for (int i = 0; i + wanted.length + ID_LENGTH < length; i++) {
			if (this.response[i] == '"'
					&& Arrays.equals(this.response, i, i + wanted.length, wanted, 0, wanted.length)) {
				i += wanted.length;
				this.ids.add(UUID.fromString(new String(this.response, i, ID_LENGTH, StandardCharsets.US_ASCII)));
				i += ID_LENGTH;
				found = true;
			}
		}
		return found;
	}

	/** Returns the length of the response. */
	private static int expectSuccess(InputStream in, byte[] response) throws IOException {
		int length = 0;
		int total = Integer.MAX_VALUE;
		while (length < total) {
			int read = in.read(response, length, response.length - length);
			if (read <= 0) {
				throw new IOException("The server closed the connection");
			}
			length += read;
			if (total == Integer.MAX_VALUE) {
				total = totalLength(response, length);
			}
		}
		if (response[9] != '2') {
			throw new IOException(new String(response, 0, length, StandardCharsets.UTF_8));
		}
		return length;
	}

	/** Length of the response once its header is complete. */
	private static int totalLength(byte[] response, int length) {
		String head = new String(response, 0, length, StandardCharsets.ISO_8859_1);
		int end = head.indexOf("\r\n\r\n");
		if (end < 0) {
			return Integer.MAX_VALUE;
		}
		int field = head.toLowerCase(Locale.ROOT).indexOf("content-length: ");
		int value = field + "content-length: ".length();
		return end + 4 + Integer.parseInt(head.substring(value, head.indexOf('\r', value)));
	}

	@Override
	public void close() throws IOException {
		this.socket.close();
	}

}
