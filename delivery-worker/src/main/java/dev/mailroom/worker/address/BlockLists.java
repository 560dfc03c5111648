package dev.mailroom.worker.address;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.mailroom.addresscheck.AddressCheck.Finding;
import dev.mailroom.addresscheck.AddressCheck.Kind;
import dev.mailroom.addresscheck.AddressCheck.Result;
import dev.mailroom.addresscheck.BlockList;
import dev.mailroom.worker.dns.BlockingResolver;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Type;

/**
 * Lookups in block lists (RFC 5782). The names that are queried at Spamhaus contain the
 * key: neither they nor the errors of their lookups leave this class.
 */
final class BlockLists {

	private static final InetAddress LISTED = InetAddress.ofLiteral("127.0.0.2");

	private static final InetAddress NEVER_LISTED = InetAddress.ofLiteral("127.0.0.1");

	private final BlockingResolver resolver;

	private final String key;

	BlockLists(BlockingResolver resolver, String key) {
		this.resolver = resolver;
		this.key = key;
	}

	/** The lists that are asked: free ones, and those of Spamhaus with a key. */
	List<Asked> asked() {
		List<Asked> asked = new ArrayList<>(List.of(
				Asked.of("Barracuda", "b.barracudacentral.org", BlockList.Severity.HIGH,
						"https://www.barracudacentral.org/rbl/removal-request"),
				Asked.of("Mailspike", "bl.mailspike.net", BlockList.Severity.LOW,
						"https://mailspike.org/iplookup.html"),
				Asked.of("PSBL", "psbl.surriel.com", BlockList.Severity.LOW, "https://psbl.org/remove"),
				Asked.of("SpamCop", "bl.spamcop.net", BlockList.Severity.HIGH, "https://www.spamcop.net/bl.shtml")));
		if (!this.key.isEmpty()) {
			asked.add(new Asked("Spamhaus ZEN", "zen.dq.spamhaus.net", BlockList.Kind.ADDRESS, BlockList.Severity.HIGH,
					"https://check.spamhaus.org/", this.key + "."));
			asked.add(new Asked("Spamhaus DBL", "dbl.dq.spamhaus.net", BlockList.Kind.DOMAIN, BlockList.Severity.HIGH,
					"https://check.spamhaus.org/", this.key + "."));
		}
		return asked;
	}

	/**
	 * Tests whether a list contains its test entry, and not what must never be listed.
	 */
	BlockList.State test(Asked list) {
		boolean addresses = list.kind() == BlockList.Kind.ADDRESS;
		Result listed = addresses ? ask(list, LISTED).result() : ask(list, "dbltest.com").result();
		Result never = addresses ? ask(list, NEVER_LISTED).result() : ask(list, "invalid").result();
		if (listed == Result.UNKNOWN || never == Result.UNKNOWN) {
			return BlockList.State.UNKNOWN;
		}
		return (listed != Result.OK && never == Result.OK) ? BlockList.State.ON : BlockList.State.OFF;
	}

	/**
	 * Looks up an address; the name of IPv6 consists of nibbles (RFC 5782 section 2.4).
	 */
	Finding ask(Asked list, InetAddress address) {
		String reversed = ReverseDns.name(address).replaceFirst("\\.(in-addr|ip6)\\.arpa$", "");
		return ask(list, address.getHostAddress(), Kind.LIST, reversed);
	}

	/** Looks up a domain. */
	Finding ask(Asked list, String domain) {
		return ask(list, domain, Kind.DOMAIN, domain);
	}

	private Finding ask(Asked list, String subject, Kind kind, String name) {
		List<InetAddress> answers;
		try {
			answers = this.resolver.records(name + "." + list.prefix() + list.zone(), Type.A)
				.stream()
				.filter(ARecord.class::isInstance)
				.map((record) -> ((ARecord) record).getAddress())
				.toList();
		}
		catch (IOException _) {
			return new Finding(subject, kind, list.name(), Result.UNKNOWN, "The list did not answer.");
		}
		if (answers.isEmpty()) {
			return new Finding(subject, kind, list.name(), Result.OK, "Not listed.");
		}
		if (answers.stream().anyMatch((answer) -> isError(answer, kind))) {
			return new Finding(subject, kind, list.name(), Result.UNKNOWN,
					"The list answered with an error: it refuses these name servers, or is out of service.");
		}
		if (list.name().equals("Spamhaus ZEN") && answers.stream().allMatch(BlockLists::isPolicy)) {
			return new Finding(subject, kind, list.name(), Result.WARNING,
					"Listed by policy (PBL): the owner of the range says that no mail comes from it. This is no accusation "
							+ "of spam.");
		}
		Result result = (list.severity() == BlockList.Severity.HIGH) ? Result.FAILED : Result.WARNING;
		return new Finding(subject, kind, list.name(), result, "Listed.");
	}

	/**
	 * Whether an answer does not mean that something is listed: only 127.0.0.0/8 does,
	 * and there 127.0.0.1 and 127.255.255.0/24 do not. Lists of domains answer with
	 * 127.0.1.255 to queries for addresses.
	 */
	private static boolean isError(InetAddress answer, Kind kind) {
		byte[] octets = answer.getAddress();
		boolean loopback = answer instanceof Inet4Address && octets[0] == 127;
		return !loopback || answer.equals(NEVER_LISTED) || (octets[1] == -1 && octets[2] == -1)
				|| (kind == Kind.DOMAIN && answer.getHostAddress().equals("127.0.1.255"));
	}

	/** The codes of Spamhaus' Policy Block List. */
	private static boolean isPolicy(InetAddress answer) {
		return answer.getHostAddress().equals("127.0.0.10") || answer.getHostAddress().equals("127.0.0.11");
	}

	/**
	 * A list that is asked.
	 *
	 * @param zone its zone, as it is stored and shown
	 * @param prefix the key with a dot, before the zone; secret
	 */
	record Asked(String name, String zone, BlockList.Kind kind, BlockList.Severity severity, String removalUrl,
			String prefix) {

		static Asked of(String name, String zone, BlockList.Severity severity, String removalUrl) {
			return new Asked(name, zone, BlockList.Kind.ADDRESS, severity, removalUrl, "");
		}

		/** Whether it has entries for addresses of this family. */
		boolean takes(InetAddress address) {
			return address instanceof Inet4Address || !this.prefix.isEmpty();
		}

		/** The list with the result of a test. */
		BlockList tested(BlockList.State state) {
			return new BlockList(this.name, this.zone, this.kind, this.severity, this.removalUrl, state, Instant.EPOCH);
		}

		@Override
		public String toString() {
			return this.name;
		}

	}

}
