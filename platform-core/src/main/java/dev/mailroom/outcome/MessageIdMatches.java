package dev.mailroom.outcome;

import java.util.UUID;

import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Finds the delivery of which a report has lost the return path. */
@Service
public class MessageIdMatches {

	private final MessageIdStore store;

	private final Transactions transactions;

	MessageIdMatches(MessageIdStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/**
	 * The delivery that is meant; empty where there is no mail like that, or no telling.
	 */
	public Mono<ReturnPath.Named> find(MessageIdMatch trace) {
		return this.transactions.acrossAccounts(this.store.sent(trace.emailId()))
			.collectList()
			.flatMap((sent) -> Mono.justOrEmpty(trace.among(sent)));
	}

	/** To whom a delivery goes; empty where there is none any more. */
	public Mono<String> recipient(UUID delivery) {
		return this.transactions.acrossAccounts(this.store.recipient(delivery));
	}

}
