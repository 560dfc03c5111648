package dev.mailroom;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections from other addresses of this machine: with requests whose bodies lack their
 * last bytes, or with responses that are not read.
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

	private StalledClients(int port, String path) {
		this.port = port;
		this.path = path;
	}

	/** Sends 8 MB from three addresses, in requests that are not complete. */
	public static StalledClients senders(int port, String path) throws IOException {
		StalledClients clients = new StalledClients(port, path);
		for (int i = 0; i < CONNECTIONS; i++) {
			clients.stall(ADDRESSES.get(i % ADDRESSES.size()), BODY_BYTES - 1);
		}
		return clients;
	}

	/**
	 * Requests responses and reads none of them.
	 * @param from number of the first address
	 * @param addresses number of addresses
	 * @param requests number of requests from each address
	 */
	public static StalledClients readers(int port, String path, int from, int addresses, int requests)
			throws IOException {
		StalledClients clients = new StalledClients(port, path);
		for (int i = from; i < from + addresses; i++) {
			Socket socket = clients.connect("127.0.1." + i);
			clients.sockets.add(socket);
			socket.getOutputStream().write(clients.get().repeat(requests).getBytes(StandardCharsets.US_ASCII));
		}
		return clients;
	}

	/** The status of the response to another request from an address, which is read. */
	public int status(int address) throws IOException {
		try (Socket socket = connect("127.0.1." + address)) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.getOutputStream().write(get().getBytes(StandardCharsets.US_ASCII));
			return Integer
				.parseInt(new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII).substring(9));
		}
	}

	private String get() {
		return "GET " + this.path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
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
		socket.setReceiveBufferSize(BODY_BYTES);
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
