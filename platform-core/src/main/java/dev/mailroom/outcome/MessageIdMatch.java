package dev.mailroom.outcome;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * What a report tells of the mail it is about, where the return path is not in it any
 * more. All who got a mail know its id, and whoever is answered or shown it: so it stands
 * for a recipient who is the only one, and never for one of several.
 *
 * @param emailId the mail
 * @param named the recipients that the report names, lower-case; of a reader who is to
 * stay unknown nobody (RFC 6590)
 */
public record MessageIdMatch(UUID emailId, Set<String> named) {

	/**
	 * The one that is meant. A mail with one recipient needs no name, or one of which the
	 * domain was left; a name at another domain is somebody who was passed the mail on.
	 */
	Optional<ReturnPath.Named> among(List<Sent> sent) {
		return (sent.size() == 1) ? Optional.of(sent.getFirst())
			.filter(this::mayBe)
			.map((only) -> new ReturnPath.Named(only.accountId(), only.id())) : Optional.empty();
	}

	private boolean mayBe(Sent only) {
		String domain = domain(only.key());
		return this.named.isEmpty() || this.named.stream().anyMatch((each) -> domain(each).equals(domain));
	}

	private static String domain(String address) {
		return address.substring(address.lastIndexOf('@') + 1);
	}

	/** One of the mail's deliveries. */
	record Sent(UUID accountId, UUID id, String recipient) {

		String key() {
			return this.recipient.toLowerCase(Locale.ROOT);
		}

	}

}
