package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The Message-ID and recipients of a report that no longer contains the return path. All
 * recipients of a mail have its Message-ID, as do those to whom it was forwarded.
 * Therefore it only identifies the recipient of a mail with a single one.
 *
 * @param named addresses that the report names as recipients, lower-case; none if they
 * are redacted (RFC 6590)
 */
public record MessageIdMatch(UUID emailId, Set<String> named) {

	/**
	 * The mail's only delivery, unless the report names only addresses of other domains,
	 * which received a forwarded copy.
	 */
	Optional<ReturnPath.Named> among(List<Sent> sent) {
		return (sent.size() == 1) ? Optional.of(sent.getFirst())
			.filter(this::matches)
			.map((only) -> new ReturnPath.Named(only.accountId(), only.id())) : Optional.empty();
	}

	private boolean matches(Sent only) {
		String domain = domain(only.key());
		return this.named.isEmpty() || this.named.stream().anyMatch((address) -> domain(address).equals(domain));
	}

	private static String domain(String address) {
		return address.substring(address.lastIndexOf('@') + 1);
	}

	/** A delivery of the mail. */
	record Sent(UUID accountId, UUID id, String recipient) {

		String key() {
			return this.recipient.toLowerCase(Locale.ROOT);
		}

	}

}
