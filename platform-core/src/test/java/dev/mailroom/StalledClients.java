package dev.mailroom;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections from three addresses of this machine, each with a request whose body lacks
 * its last bytes: 8 MB in all.
 */
public final class StalledClients implements AutoCloseable {

	/** Addresses other than that of the tests' own clients. */
	private static final List<String> ADDRESSES = List.of("127.0.0.2", "127.0.0.3", "127.0.0.4");

	private static final int CONNECTIONS = 2050;

	private static final int BODY_BYTES = 4_096;

	private static final int TIMEOUT_MILLIS = 120_000;

	private final int port;

	private final String path;

	private final List<Socket> sockets = new ArrayList<>();

	/** Opens the connections to a port, with requests to a path. */
	public StalledClients(int port, String path) throws IOException {
		this.port = port;
		this.path = path;
		for (int i = 0; i < CONNECTIONS; i++) {
			stall(ADDRESSES.get(i % ADDRESSES.size()), BODY_BYTES - 1);
		}
	}

	private void stall(String address, int bytes) throws IOException {
		Socket socket = connect(address);
		this.sockets.add(socket);
		send(socket, BODY_BYTES, " ".repeat(bytes));
	}

	/**
	 * Uses up the memory that the large bodies leave to the first address.
	 * @return whether another small request of it is then refused for lack of memory
	 */
	public boolean isRefused(String body) throws IOException {
		for (int bytes = BODY_BYTES / 2; bytes > 0; bytes /= 2) {
			stall(ADDRESSES.getFirst(), bytes);
		}
		try (Socket socket = connect(ADDRESSES.getFirst())) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			send(socket, body.length(), body);
			return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII).endsWith("503");
		}
	}

	private Socket connect(String address) throws IOException {
		Socket socket = new Socket();
		socket.bind(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
		socket.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), this.port));
		return socket;
	}

	private void send(Socket socket, int length, String body) throws IOException {
		socket.getOutputStream()
			.write(("POST " + this.path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
					+ "Content-Length: " + length + "\r\n\r\n" + body)
				.getBytes(StandardCharsets.US_ASCII));
	}

	@Override
	public void close() throws IOException {
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

}
