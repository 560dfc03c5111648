package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Finds the deliveries of reports that no longer contain the return path. */
@Service
public class MessageIdMatches {

	private final AttemptStore store;

	private final Transactions transactions;

	MessageIdMatches(AttemptStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** The delivery; empty if there is no such mail or if it is ambiguous. */
	public Mono<ReturnPath.Named> find(Match match) {
		return this.transactions.acrossAccounts(this.store.recipients(match.emailId()))
			.collectList()
			.flatMap((recipients) -> Mono.justOrEmpty(match.among(recipients)));
	}

	/** The recipient of a delivery; empty if the delivery no longer exists. */
	public Mono<String> recipient(UUID delivery) {
		return this.transactions.acrossAccounts(this.store.recipient(delivery));
	}

	/**
	 * The Message-ID and recipients of a report that no longer contains the return path.
	 * All recipients of a mail have its Message-ID, as do those to whom it was forwarded.
	 * Therefore it only identifies the recipient of a mail with a single one.
	 *
	 * @param named addresses that the report names as recipients, lower-case; none if
	 * they are redacted (RFC 6590)
	 */
	public record Match(UUID emailId, Set<String> named) {

		/**
		 * The mail's only delivery, unless the report names only addresses of other
		 * domains, which received a forwarded copy.
		 */
		Optional<ReturnPath.Named> among(List<Recipient> recipients) {
			return (recipients.size() == 1) ? Optional.of(recipients.getFirst())
				.filter(this::matches)
				.map((only) -> new ReturnPath.Named(only.accountId(), only.id())) : Optional.empty();
		}

		private boolean matches(Recipient only) {
			String domain = domain(only.address().toLowerCase(Locale.ROOT));
			return this.named.isEmpty() || this.named.stream().anyMatch((address) -> domain(address).equals(domain));
		}

		private static String domain(String address) {
			return address.substring(address.lastIndexOf('@') + 1);
		}

	}

	/** A delivery of a mail. */
	record Recipient(UUID accountId, UUID id, String address) {
	}

}
