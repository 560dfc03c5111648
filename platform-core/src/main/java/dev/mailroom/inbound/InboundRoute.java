package dev.mailroom.inbound;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A route: what becomes of mail to addresses of a domain. The first active one that
 * matches a recipient applies.
 *
 * @param position the place among the routes of the domain
 */
public record InboundRoute(UUID id, UUID accountId, UUID domainId, int position, Rule rule, boolean active,
		Instant createdAt) {

	/** Finds the rule for a recipient; empty if none matches, which means to store. */
	public static Optional<Rule> rule(List<Rule> rules, String recipient) {
		int at = recipient.lastIndexOf('@');
		String local = recipient.substring(0, Math.max(0, at)).toLowerCase(Locale.ROOT);
		return rules.stream().filter((rule) -> rule.matches(local)).findFirst();
	}

	/**
	 * A pattern with what applies to the recipients that it matches.
	 *
	 * @param pattern a local part in lower case, or its beginning followed by an asterisk
	 */
	public record Rule(String pattern, Spam spam, Action action) {

		private boolean matches(String local) {
			return this.pattern.endsWith("*") ? local.startsWith(this.pattern.substring(0, this.pattern.length() - 1))
					: local.equals(this.pattern);
		}

	}

	/** Treatment of mail that the spam filter would refuse. */
	public enum Spam {

		/** Stored with its verdict. */
		MARK,
		/** Refused. */
		REJECT,
		/** Accepted and forgotten. */
		DROP;

		/** The treatment with a name of the contract; empty if there is none. */
		public static Optional<Spam> of(@Nullable String name) {
			return named(values(), name);
		}

		/** The name in the database and in the API. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/** What becomes of a mail. */
	public enum Action {

		/** Stored. */
		STORE,
		/** Stored, and its event has a link to the source. */
		WEBHOOK,
		/** The recipient is refused. */
		REJECT,
		/** Accepted and forgotten. */
		DROP;

		/** The action with a name of the contract; empty if there is none. */
		public static Optional<Action> of(@Nullable String name) {
			return named(values(), name);
		}

		/** The name in the database and in the API. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	private static <T extends Enum<T>> Optional<T> named(T[] values, @Nullable String name) {
		return Arrays.stream(values).filter((value) -> value.name().toLowerCase(Locale.ROOT).equals(name)).findFirst();
	}

	/**
	 * The fields of a route that an account sets.
	 *
	 * @param domainId null if it is missing; ignored in changes
	 * @param pattern null to keep it
	 * @param spam mark, reject or drop; null for mark, or to keep it
	 * @param action store, webhook, reject or drop; null for store, or to keep it
	 * @param active null for true, or to keep it
	 */
	public record Form(@Nullable UUID domainId, @Nullable String pattern, @Nullable String spam,
			@Nullable String action, @Nullable Boolean active) {
	}

	/**
	 * What applies to a recipient.
	 *
	 * @param route the route that matches; null if none does
	 */
	public record Match(UUID domainId, @Nullable InboundRoute route) {

		/** What becomes of the mail. */
		public Action action() {
			return (this.route != null) ? this.route.rule().action() : Action.STORE;
		}

		/** Treatment of spam. */
		public Spam spam() {
			return (this.route != null) ? this.route.rule().spam() : Spam.MARK;
		}

	}

}
