package dev.mailroom.readiness;

import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A rule for bulk senders, and whether a domain keeps to it.
 *
 * @param finding what was found, as a sentence
 * @param fix what to do; null if nothing needs to be done
 */
public record ReadinessCheck(Rule rule, Result result, String finding, @Nullable String fix) {

	static ReadinessCheck pass(Rule rule, String finding) {
		return new ReadinessCheck(rule, Result.PASS, finding, null);
	}

	static ReadinessCheck unknown(Rule rule, String finding) {
		return new ReadinessCheck(rule, Result.UNKNOWN, finding, null);
	}

	/** Rules, in the order in which they are shown. */
	public enum Rule {

		/** SPF passes for the return path, and is aligned with From. */
		SPF,
		/** Mails are signed by DKIM for the domain in From. */
		DKIM,
		/** The key of signatures is long enough. */
		DKIM_KEY,
		/** DMARC states a policy. */
		DMARC,
		/** DMARC names an address for reports. */
		DMARC_REPORTS,
		/** Mail to contacts can be unsubscribed from with one click. */
		ONE_CLICK,
		/** The tracking domain works, if the domain has one. */
		TRACKING_DOMAIN,
		/** Few recipients report mails as spam. */
		COMPLAINTS,
		/** Sending addresses have names that lead back to them. */
		REVERSE_DNS,
		/** Mails are sent over TLS. */
		TLS,
		/** Each mail has one author. */
		FROM,
		/** Providers may show the logo of the domain, if it publishes one. */
		BIMI;

		/** The value in JSON. */
		@JsonValue
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** Results. */
	public enum Result {

		/** The domain keeps to the rule. */
		PASS,
		/** It does, but more is advised. */
		WARN,
		/** It does not: providers may refuse its mail. */
		FAIL,
		/** Not known, because nothing was measured or name servers did not answer. */
		UNKNOWN;

		/** The value in JSON. */
		@JsonValue
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
