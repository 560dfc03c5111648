package dev.mailroom.campaign;

import java.time.Clock;
import java.util.List;

import dev.mailroom.Transactions;
import dev.mailroom.event.Events;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Runs scheduled campaigns when their time has come. One that comes too late, because
 * nothing was at work, pauses: nobody wants this morning's offer tomorrow night.
 */
@Service
public class CampaignScheduler {

	private static final int AT_ONCE = 100;

	private final TransitionStore moves;

	private final CampaignStore store;

	private final Transactions transactions;

	private final Events events;

	private final CampaignSettings settings;

	private final Clock clock;

	CampaignScheduler(TransitionStore moves, CampaignStore store, Transactions transactions, Events events,
			CampaignSettings settings, Clock clock) {
		this.moves = moves;
		this.store = store;
		this.transactions = transactions;
		this.events = events;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Moves the campaigns that are due, some at a time.
	 * @return how many were moved
	 */
	public Mono<Long> keep() {
		return this.transactions
			.acrossAccounts(this.moves.due(AT_ONCE).collectList().flatMapIterable((due) -> due).concatMap(this::move))
			.reduce(0L, Long::sum);
	}

	private Mono<Long> move(DueCampaign due) {
		return due.hindrance(this.settings.maxLateness())
			.map((reason) -> this.moves.pause(due.scope(), due.id(), Status.SCHEDULED, reason, this.clock.instant())
				.delayUntil((_) -> record(due, "campaign.paused")))
			.orElseGet(
					() -> this.moves.run(due.scope(), due.id(), Status.SCHEDULED, due.domainId(), this.clock.instant())
						.delayUntil((_) -> record(due, due.started() ? "campaign.resumed" : "campaign.started")));
	}

	private Mono<Void> record(DueCampaign due, String kind) {
		return this.store.find(due.scope(), due.id())
			.flatMap((campaign) -> this.events.record(List.of(campaign.event(kind))));
	}

}
