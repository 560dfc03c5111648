package dev.mailroom.domain;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What a look at its records makes of a domain. */
final class RecordsCheck {

	private RecordsCheck() {
	}

	/**
	 * Ownership, and of the pair that signs a key that everybody reads: without both
	 * nothing is sent. A key that is still to sign proves nothing of what is sent now.
	 */
	static boolean holds(List<DnsRecord> seen, List<DkimKey> keys) {
		boolean owned = seen.stream().anyMatch((record) -> record.purpose().equals("ownership") && isVerified(record));
		return owned && (signing(keys).anyMatch((key) -> found(seen, key)) || !takingOver(seen, keys).isEmpty());
	}

	/** DNS was heard to lack what nothing is sent without: silence is no such word. */
	static boolean missing(List<DnsRecord> seen, List<DkimKey> keys) {
		boolean disowned = seen.stream().anyMatch((record) -> record.purpose().equals("ownership") && isGone(record));
		List<DkimKey> waiting = keys.stream().filter((key) -> !key.active()).toList();
		boolean noneToCome = waiting.isEmpty() || waiting.stream().anyMatch((key) -> gone(seen, key));
		return disowned || (noneToCome && signing(keys).allMatch((key) -> gone(seen, key)));
	}

	private static Stream<DkimKey> signing(List<DkimKey> keys) {
		return keys.stream().filter((key) -> key.active() && key.algorithm().startsWith("rsa"));
	}

	/**
	 * The domain's next status. One that was verified is given time: a name server that
	 * does not answer, or a record that is gone for a while, takes nothing down at once.
	 * Only a record that is gone counts against it, never a server that is silent.
	 */
	static String status(DomainStore.Row before, List<DnsRecord> seen, List<DkimKey> keys, Clock clock,
			Duration grace) {
		if (holds(seen, keys)) {
			return "verified";
		}
		if (before.verifiedAt() == null || before.status().equals("pending")) {
			return "pending";
		}
		boolean over = missing(seen, keys) && before.failingSince() != null
				&& before.failingSince().plus(grace).isBefore(clock.instant());
		return (over || before.status().equals("failed")) ? "failed" : "temporary_failure";
	}

	/**
	 * The selectors of the pair that takes over now: the waiting one, once DNS has all of
	 * it.
	 */
	static List<String> takingOver(List<DnsRecord> seen, List<DkimKey> keys) {
		List<DkimKey> waiting = keys.stream().filter((key) -> !key.active()).toList();
		return waiting.stream().allMatch((key) -> found(seen, key)) ? waiting.stream().map(DkimKey::selector).toList()
				: List.of();
	}

	private static boolean found(List<DnsRecord> seen, DkimKey key) {
		return seen.stream().anyMatch((record) -> record.host().equals(key.host()) && isVerified(record));
	}

	private static boolean gone(List<DnsRecord> seen, DkimKey key) {
		return seen.stream().anyMatch((record) -> record.host().equals(key.host()) && isGone(record));
	}

	private static boolean isGone(DnsRecord record) {
		return record.status().equals("failed");
	}

	private static boolean isVerified(DnsRecord record) {
		return record.status().equals("verified");
	}

}
