package dev.mailroom.system.faults;

import java.util.Map;

import dev.mailroom.process.Program;

/**
 * Settings of a worker with short leases and retry delays, so that a recovery takes
 * seconds.
 */
final class ShortLeases {

	private ShortLeases() {
	}

	/**
	 * Settings of a worker that sends through a relay of this machine.
	 * @param seconds time of a lease, on which all other times depend
	 */
	static Map<String, String> settings(int seconds, String brokers, int relayPort) {
		return Map.ofEntries(Map.entry("SPRING_AUTOCONFIGURE_EXCLUDE", Program.WORKER_EXCLUSIONS),
				Map.entry("MAILROOM_KAFKA_BOOTSTRAP", brokers), Map.entry("MAILROOM_KAFKA_SESSION_TIMEOUT", "6s"),
				Map.entry("MAILROOM_RELAY_HOST", "127.0.0.1"),
				Map.entry("MAILROOM_RELAY_PORT", Integer.toString(relayPort)),
				Map.entry("MAILROOM_RELAY_FINAL", "true"), Map.entry("MAILROOM_LEASE", quarters(seconds, 4)),
				// Limits the leases to what can be sent while they last.
				Map.entry("MAILROOM_DISPATCH_WINDOW", "400"), Map.entry("MAILROOM_DATA_LEASE", quarters(seconds, 9)),
				Map.entry("MAILROOM_SEND_BEGIN_WITHIN", quarters(seconds, 2)),
				Map.entry("MAILROOM_RELAY_REPLY_TIMEOUT", quarters(seconds, 3)),
				Map.entry("MAILROOM_RELAY_DOT_TIMEOUT", quarters(seconds, 3)),
				Map.entry("MAILROOM_MX_REPLY_TIMEOUT", quarters(seconds, 3)),
				Map.entry("MAILROOM_MX_DOT_TIMEOUT", quarters(seconds, 3)),
				Map.entry("MAILROOM_RETRY_DELAYS", "1s,1s,1s,1s,1s,1s,1s,1s,1s,10h"));
	}

	/** A duration in quarters of a lease. */
	private static String quarters(int seconds, int count) {
		return 250 * seconds * count + "ms";
	}

}
