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
 * Finds out before anything starts whether every port is free, and chooses one where any
 * will do. All are on the loopback address.
 */
final class FreePorts {

	/**
	 * Below the range from which systems choose ports for outgoing connections, or one of
	 * our own could take the port between choice and use.
	 */
	private static final int LOWEST = 16_384;

	private static final int HIGHEST = 32_767;

	private static final int TRIES = 100;

	private final Map<Port, Integer> settled = new EnumMap<>(Port.class);

	private FreePorts() {
	}

	/**
	 * Settles each port that is wanted; one below zero is nowhere, and settled so.
	 * @throws StartFailure where one is taken, by another process or by another of them
	 */
	static FreePorts settle(Map<Port, Integer> wanted) {
		FreePorts ports = new FreePorts();
		List<ServerSocket> held = new ArrayList<>();
		try {
			// The named ones first: a chosen one must not take theirs.
			wanted.forEach((port, number) -> {
				if (number > 0) {
					held.add(named(port, number));
				}
				if (number != 0) {
					ports.settled.put(port, number);
				}
			});
			wanted.forEach((port, number) -> {
				if (number == 0) {
					ServerSocket socket = any();
					held.add(socket);
					ports.settled.put(port, socket.getLocalPort());
				}
			});
			return ports;
		}
		finally {
			held.forEach(FreePorts::release);
		}
	}

	/** Where a part listens: one that this start needs. */
	int of(Port port) {
		return Objects.requireNonNull(this.settled.get(port), port::variable);
	}

	private static ServerSocket named(Port port, int number) {
		try {
			return bind(number);
		}
		catch (IOException ex) {
			throw new StartFailure("Port " + number + " is in use: set " + port.variable()
					+ " to another (0 = any), or stop what uses it.", ex);
		}
	}

	private static ServerSocket any() {
		for (int attempt = 0; attempt < TRIES; attempt++) {
			try {
				return bind(ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST));
			}
			catch (IOException _) {
				// Taken: the next one.
			}
		}
		throw new StartFailure("No free port was found between " + LOWEST + " and " + HIGHEST + ".");
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
			throw new IllegalStateException("A socket does not close", ex);
		}
	}

}
