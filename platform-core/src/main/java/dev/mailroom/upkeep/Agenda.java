package dev.mailroom.upkeep;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Whether there is rare work, now or soon. */
@Service
@AcrossAccounts("one loop serves all accounts")
public class Agenda {

	private final AgendaStore store;

	private final Transactions transactions;

	Agenda(AgendaStore store, Transactions transactions) {
		this.store = store;
		this.transactions = transactions;
	}

	/** Whether a campaign runs, also if it has nothing to do at present. */
	public Mono<Boolean> anyRunningCampaign() {
		return this.transactions.acrossAccounts(this.store.anyRunningCampaign());
	}

	/** Whether a campaign is to start within a time, or is overdue. */
	public Mono<Boolean> anyCampaignWithin(Duration time) {
		return this.transactions.acrossAccounts(this.store.anyCampaignWithin(time));
	}

}
