package dev.mailroom.campaign;

import java.time.Clock;
import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Stops all that an account runs when the account itself is paused. Each campaign waits
 * for its owner then: what was right before the pause need not be right after it.
 */
@Service
public class CampaignPauses {

	private final TransitionStore moves;

	private final CampaignStore store;

	private final Events events;

	private final Clock clock;

	CampaignPauses(TransitionStore moves, CampaignStore store, Events events, Clock clock) {
		this.moves = moves;
		this.store = store;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Pauses the account's running campaigns. Call it in the transaction that pauses the
	 * account.
	 * @param accountPaused why the account is paused
	 * @return how many were running
	 */
	public Mono<Long> all(Scope scope, String accountPaused) {
		return this.moves.pauseRunning(scope, reason(accountPaused), this.clock.instant())
			.collectList()
			.flatMapIterable((ids) -> ids)
			.concatMap((id) -> this.store.find(scope, id))
			.map((campaign) -> campaign.event("campaign.paused"))
			.collectList()
			.flatMap((paused) -> this.events.record(List.copyOf(paused)).thenReturn((long) paused.size()));
	}

	/** What a campaign says of itself that stands because its account does. */
	static String reason(String accountPaused) {
		return "Sending is paused for this account: " + accountPaused;
	}

}
