package dev.mailroom.site;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Limits of a provider's servers and rules for their replies. A null field is left to the
 * profile below: the shipped one, then the settings.
 *
 * @param suffixes ends of the names of its MX hosts
 * @param sessions sessions of the site at a time
 * @param mailsPerSession mails after which a session is closed
 * @param mailsPerMinute mails to the site in a minute
 * @param connectionsPerMinute sessions opened in a minute
 * @param greylistSeconds delay after greylisting if the reply names none
 * @param rules the first one that matches a reply decides
 */
public record ProviderProfile(String name, @Nullable List<String> suffixes, @Nullable Integer sessions,
		@Nullable Integer mailsPerSession, @Nullable Integer mailsPerMinute, @Nullable Integer connectionsPerMinute,
		@Nullable LeastTls leastTls, @Nullable Integer greylistSeconds, @Nullable List<ReplyRule> rules) {

	/** A profile without limits and rules of its own. */
	static ProviderProfile empty(String name) {
		return new ProviderProfile(name, null, null, null, null, null, null, null, null);
	}

	/** This profile, with the fields of another where this one has none. */
	ProviderProfile over(ProviderProfile other) {
		return new ProviderProfile(this.name, first(this.suffixes, other.suffixes),
				first(this.sessions, other.sessions), first(this.mailsPerSession, other.mailsPerSession),
				first(this.mailsPerMinute, other.mailsPerMinute),
				first(this.connectionsPerMinute, other.connectionsPerMinute), first(this.leastTls, other.leastTls),
				first(this.greylistSeconds, other.greylistSeconds), first(this.rules, other.rules));
	}

	/** This profile without the fields that are the same in another. */
	ProviderProfile without(ProviderProfile other) {
		return new ProviderProfile(this.name, changed(this.suffixes, other.suffixes),
				changed(this.sessions, other.sessions), changed(this.mailsPerSession, other.mailsPerSession),
				changed(this.mailsPerMinute, other.mailsPerMinute),
				changed(this.connectionsPerMinute, other.connectionsPerMinute), changed(this.leastTls, other.leastTls),
				changed(this.greylistSeconds, other.greylistSeconds), changed(this.rules, other.rules));
	}

	private static <T> @Nullable T first(@Nullable T one, @Nullable T other) {
		return (one != null) ? one : other;
	}

	private static <T> @Nullable T changed(@Nullable T one, @Nullable T other) {
		return Objects.equals(one, other) ? null : one;
	}

	/** Least protection of the sessions of a site. */
	public enum LeastTls {

		/** TLS, with any certificate. */
		ENCRYPTED,
		/** TLS with a valid certificate. */
		VERIFIED

	}

}
