package dev.mailroom.standalone.host;

import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Names of this machine in a Host header. A page of the internet whose own name resolves
 * to the loopback address (DNS rebinding) sends its own name, and must not get a
 * response.
 */
public final class LocalNames {

	/** Refusal of a request under another name. */
	public static final String REFUSAL = "This port is served to this machine only: use http://localhost\n";

	private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

	private LocalNames() {
	}

	/**
	 * Whether a request is for this machine.
	 * @param host the Host header, with or without a port; null if there is none
	 */
	public static boolean include(@Nullable String host) {
		if (host == null) {
			return false;
		}
		String name = host.strip().toLowerCase(Locale.ROOT);
		int port = name.lastIndexOf(':');
		if (port > name.lastIndexOf(']')) {
			name = name.substring(0, port);
		}
		return NAMES.contains(name) || name.endsWith(".localhost");
	}

}
