package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.Reputations;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Causes for which mails of campaigns came back or were reported as spam. */
@Service
public class CampaignCauses {

	private final CampaignCauseStore store;

	private final Transactions transactions;

	CampaignCauses(CampaignCauseStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/**
	 * The most frequent causes, most frequent first.
	 * @param since the first start of the campaign: the first ten thousand mails of the
	 * account that came back after it are read
	 */
	public Mono<List<Reputations.Cause>> of(Scope scope, UUID campaign, Instant since) {
		return this.transactions.list(scope, this.store.causes(scope, campaign, since).collectList());
	}

}
