package dev.mailroom.source;

import java.util.Locale;

/**
 * The pool of one stream of the mail of a domain, account or plan, or of all other mail.
 *
 * @param key id of the domain or account, name of the plan; empty for the platform
 */
public record PoolChoice(Kind kind, String key, boolean campaign, String pool) {

	/** Mail for which a pool is chosen, the most specific first. */
	public enum Kind {

		/** A sending domain. */
		DOMAIN,
		/** An account. */
		ACCOUNT,
		/** All accounts of a plan. */
		PLAN,
		/** All other mail. */
		PLATFORM;

		/** The value in the database. */
		String stored() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** The value in the database. */
	static String stream(boolean campaign) {
		return campaign ? "campaign" : "transactional";
	}

}
