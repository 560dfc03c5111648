package dev.mailroom.addresscheck;

import java.time.Instant;
import java.util.Locale;

/**
 * The last result of a check.
 *
 * @param subject the address, or the domain
 * @param list name of the block list; empty for the other kinds
 * @param detail what was found, as a sentence
 * @param since when the result became what it is
 */
public record AddressCheck(String subject, Kind kind, String list, Result result, String detail, Instant since,
		Instant checkedAt) {

	/** The remedy; empty if none is needed. */
	public String fix() {
		return (this.result == Result.OK) ? "" : (this.result == Result.UNKNOWN) ? Kind.UNANSWERED : this.kind.fix;
	}

	/** Subject of a check. */
	public enum Kind {

		/** The address has a name in reverse DNS. */
		PTR("Ask the owner of the address range, usually the hosting provider, to set its PTR record to the name in "
				+ "EHLO."),
		/** That name has the address. */
		FORWARD("Publish an A or AAAA record with this address at the name of the PTR record, or let the PTR record "
				+ "name a host that has it."),
		/** That name is the one in EHLO. */
		HELO("Set MAILROOM_HELO_NAME to the name of the PTR record, or have the PTR record changed to the name in EHLO."),
		/** That name does not look like the name of a provider's customer. */
		GENERIC("Have the PTR record name a host of your own without the digits of the address: receivers take such "
				+ "names for dial-up lines."),
		/** The record that tenants include permits the address. */
		SPF("Add the address to the SPF record at MAILROOM_SPF_INCLUDE (ip4: or ip6:)."),
		/** The record of the name in EHLO permits the address. */
		HELO_SPF(
				"Publish an SPF record at the name in EHLO that permits the address, such as v=spf1 a -all: it is used "
						+ "for mail without a return path."),
		/** A block list of addresses. */
		LIST("Find the cause in the bounces and complaints of the last days, mend it, then ask for removal on the list's "
				+ "page."),
		/** A block list of domains. */
		DOMAIN("Find the account or the link that caused it, then ask for removal on the list's page.");

		static final String UNANSWERED = "Nothing, if it lasts less than a day: the check is repeated. Else ask the list "
				+ "or the zone with other name servers (MAILROOM_DNS_SERVERS).";

		private final String fix;

		Kind(String fix) {
			this.fix = fix;
		}

		/** The name in columns and labels. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

		static Kind of(String name) {
			return valueOf(name.toUpperCase(Locale.ROOT));
		}

	}

	/** Results. */
	public enum Result {

		/** As receivers expect it. */
		OK(0),
		/** Some receivers may mind. */
		WARNING(1),
		/** Many receivers refuse or distrust the mail. */
		FAILED(2),
		/** The name servers did not answer; nothing follows from it. */
		UNKNOWN(3);

		private final int value;

		Result(int value) {
			this.value = value;
		}

		/** The value of the metric. */
		public int value() {
			return this.value;
		}

		String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

		static Result of(String name) {
			return valueOf(name.toUpperCase(Locale.ROOT));
		}

	}

	/** Finding of a check. */
	public record Finding(String subject, Kind kind, String list, Result result, String detail) {

		/** A finding of a check without a list. */
		public static Finding of(String subject, Kind kind, Result result, String detail) {
			return new Finding(subject, kind, "", result, detail);
		}

	}

}
