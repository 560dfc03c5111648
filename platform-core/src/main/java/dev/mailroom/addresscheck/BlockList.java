package dev.mailroom.addresscheck;

import java.time.Instant;

/**
 * A block list that is asked (RFC 5782).
 *
 * @param zone zone without the key of the subscriber
 * @param removalUrl page on which its operators take requests for removal
 */
public record BlockList(String name, String zone, Kind kind, Severity severity, String removalUrl, State state,
		Instant testedAt) {

	/** Kind of its entries. */
	public enum Kind {

		/** Addresses. */
		ADDRESS,
		/** Domains. */
		DOMAIN

	}

	/** Effect of an entry on delivery. */
	public enum Severity {

		/** Many receivers refuse the mail of what it lists. */
		HIGH,
		/** Few do. */
		LOW

	}

	/** Result of its last test. */
	public enum State {

		/** It answers as it should. */
		ON,
		/** It lists what it must not, or not what it must. */
		OFF,
		/** The name servers did not answer. */
		UNKNOWN

	}

}
