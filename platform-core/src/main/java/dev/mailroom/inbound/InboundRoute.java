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

	/** The mailbox that every domain has (RFC 5321 section 4.5.1). */
	private static final String POSTMASTER = "postmaster";

	/**
	 * Finds the rule for a recipient; empty if none matches, which means to store. Mail
	 * to the postmaster is refused or dropped only by a rule that names this mailbox.
	 */
	public static Optional<Rule> rule(List<Rule> rules, String recipient) {
		int at = recipient.lastIndexOf('@');
		String local = recipient.substring(0, Math.max(0, at)).toLowerCase(Locale.ROOT);
		return rules.stream()
			.filter((rule) -> rule.matches(local) && !(local.equals(POSTMASTER) && rule.isCatchAllThatLosesMail()))
			.findFirst();
	}

	/**
	 * A pattern with what applies to the recipients that it matches.
	 *
	 * @param pattern a local part in lower case, or its beginning followed by an asterisk
	 * @param forwarding addresses to forward to; none for other actions
	 */
	public record Rule(String pattern, Spam spam, Action action, Forwarding forwarding) {

		private boolean matches(String local) {
			return this.pattern.endsWith("*") ? local.startsWith(this.pattern.substring(0, this.pattern.length() - 1))
					: local.equals(this.pattern);
		}

		private boolean isCatchAllThatLosesMail() {
			return this.pattern.endsWith("*") && (this.action == Action.REJECT || this.action == Action.DROP);
		}

	}

	/**
	 * Addresses to which mail is forwarded.
	 *
	 * @param to at most five; empty if the mail is not forwarded
	 * @param confirmed those to which mail may be forwarded: their owners have confirmed,
	 * or they are at verified domains of the account; only set for mail that arrives
	 */
	public record Forwarding(List<String> to, ForwardMode mode, List<String> confirmed) {

		static final Forwarding NONE = new Forwarding(List.of(), ForwardMode.REWRITE, List.of());

		public Forwarding {
			to = List.copyOf(to);
			confirmed = List.copyOf(confirmed);
		}

	}

	/**
	 * Sender of a forwarded mail whose author's domain refuses mail of others, if no
	 * signature of that domain is valid.
	 */
	public enum ForwardMode {

		/** The address at which the mail arrived; replies go to the author. */
		REWRITE,
		/** The author. */
		KEEP;

		/** The mode with a name of the contract; empty if there is none. */
		public static Optional<ForwardMode> of(@Nullable String name) {
			return named(values(), name);
		}

		/** The name in the database and in the API. */
		public String contractName() {
			return name().toLowerCase(Locale.ROOT);
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

	/** Treatment of a mail. */
	public enum Action {

		/** Stored. */
		STORE,
		/** Stored, and its event has a link to the source. */
		WEBHOOK,
		/** Stored and forwarded. */
		FORWARD,
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
	 * @param action store, webhook, forward, reject or drop; null for store, or to keep
	 * it
	 * @param forwardTo null for none, or to keep them
	 * @param forwardMode rewrite or keep; null for rewrite, or to keep it
	 * @param active null for true, or to keep it
	 */
	public record Form(@Nullable UUID domainId, @Nullable String pattern, @Nullable String spam,
			@Nullable String action, @Nullable List<@Nullable String> forwardTo, @Nullable String forwardMode,
			@Nullable Boolean active) {
	}

	/**
	 * Result of the look-up of a recipient's route.
	 *
	 * @param route the route that matches; null if none does
	 */
	public record Match(UUID domainId, @Nullable InboundRoute route) {

		/** Treatment of the mail. */
		public Action action() {
			return (this.route != null) ? this.route.rule().action() : Action.STORE;
		}

		/** Treatment of spam. */
		public Spam spam() {
			return (this.route != null) ? this.route.rule().spam() : Spam.MARK;
		}

	}

}
