package dev.mailroom.standalone;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Port numbers on the loopback address, checked to be free before any part starts. A port
 * configured as 0 is assigned a random free number.
 */
final class FreePorts {

	/**
	 * The range lies below the ephemeral ports of common systems. No outgoing connection
	 * takes a port between its assignment and its use.
	 */
	private static final int MIN_PORT = 16_384;

	private static final int MAX_PORT = 32_767;

	private static final int MAX_ATTEMPTS = 100;

	private final Map<Port, Integer> numbers = new EnumMap<>(Port.class);

	private FreePorts() {
	}

	/**
	 * Assigns a number to each port. A negative number means that the port is disabled
	 * and is returned unchanged.
	 * @param wanted the configured numbers; 0 for any free port
	 * @throws StartFailure if a number is in use by another process or configured twice
	 */
	static FreePorts settle(Map<Port, Integer> wanted) {
		FreePorts ports = new FreePorts();
		List<ServerSocket> sockets = new ArrayList<>();
		try {
			// Fixed numbers first: no random number takes one of them.
			wanted.forEach((port, number) -> {
				if (number > 0) {
					sockets.add(bindFixed(port, number));
				}
				if (number != 0) {
					ports.numbers.put(port, number);
				}
			});
			wanted.forEach((port, number) -> {
				if (number == 0) {
					ServerSocket socket = bindRandom();
					sockets.add(socket);
					ports.numbers.put(port, socket.getLocalPort());
				}
			});
			return ports;
		}
		finally {
			sockets.forEach(FreePorts::release);
		}
	}

	/** Returns the number of a port that this start needs; negative if it is disabled. */
	int of(Port port) {
		return Objects.requireNonNull(this.numbers.get(port), port::variable);
	}

	private static ServerSocket bindFixed(Port port, int number) {
		try {
			return bind(number);
		}
		catch (IOException ex) {
			throw new StartFailure("Port " + number + " is in use: set " + port.variable()
					+ " to another (0 = any), or stop what uses it.", ex);
		}
	}

	private static ServerSocket bindRandom() {
		for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
			try {
				return bind(ThreadLocalRandom.current().nextInt(MIN_PORT, MAX_PORT));
			}
			catch (IOException _) {
				// In use: try another number.
			}
		}
		throw new StartFailure("No free port was found between " + MIN_PORT + " and " + MAX_PORT + ".");
	}

	private static ServerSocket bind(int port) throws IOException {
		ServerSocket socket = new ServerSocket();
		try {
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return socket;
		}
		catch (IOException ex) {
			socket.close();
			throw ex;
		}
	}

	private static void release(ServerSocket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new IllegalStateException("A socket cannot be closed", ex);
		}
	}

}
