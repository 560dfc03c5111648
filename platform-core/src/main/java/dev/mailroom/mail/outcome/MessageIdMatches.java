package dev.mailroom.mail.outcome;

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
	public Mono<ReturnPath.Named> find(MessageIdMatch match) {
		return this.transactions.acrossAccounts(this.store.sent(match.emailId()))
			.collectList()
			.flatMap((sent) -> Mono.justOrEmpty(match.among(sent)));
	}

	/** The recipient of a delivery; empty if the delivery no longer exists. */
	public Mono<String> recipient(UUID delivery) {
		return this.transactions.acrossAccounts(this.store.recipient(delivery));
	}

}
