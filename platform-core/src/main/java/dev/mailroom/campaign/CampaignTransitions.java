package dev.mailroom.campaign;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Events;
import dev.mailroom.submission.Senders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Moves campaigns from state to state, as their owners ask for it. */
@Service
public class CampaignTransitions {

	private final TransitionStore moves;

	private final CampaignStore store;

	private final Senders senders;

	private final Transactions transactions;

	private final Events events;

	private final Clock clock;

	CampaignTransitions(TransitionStore moves, CampaignStore store, Senders senders, Transactions transactions,
			Events events, Clock clock) {
		this.moves = moves;
		this.store = store;
		this.senders = senders;
		this.transactions = transactions;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Pauses a running campaign. What it has queued stays queued until it resumes.
	 * @throws dev.mailroom.Refused {@code Can only pause running campaigns} or
	 * {@code Campaign not found}
	 */
	public Mono<Campaign> pause(Scope scope, UUID id) {
		return this.transactions.in(scope,
				moved(scope, id, CampaignAction.PAUSE,
						this.moves.pause(scope, id, Status.RUNNING, null, this.clock.instant()))
					.delayUntil((campaign) -> this.events.record(List.of(campaign.event("campaign.paused")))));
	}

	/**
	 * Has a draft or a paused campaign start by itself.
	 * @param sendAt ISO 8601 with an offset, in the future, within 30 days
	 */
	public Mono<Campaign> schedule(Scope scope, UUID id, @Nullable String sendAt) {
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			Instant at = CampaignRules.time(sendAt, now);
			return this.transactions.in(scope,
					moved(scope, id, CampaignAction.SCHEDULE, this.moves.schedule(scope, id, at, now)));
		});
	}

	/** Makes a draft of a scheduled campaign again. */
	public Mono<Campaign> unschedule(Scope scope, UUID id) {
		return this.transactions.in(scope,
				moved(scope, id, CampaignAction.UNSCHEDULE, this.moves.unschedule(scope, id, this.clock.instant())));
	}

	/**
	 * Starts a draft now. What it says and how many it goes to are fixed from here on.
	 * @throws dev.mailroom.Refused {@code Can only start draft campaigns},
	 * {@code Campaign not found}, {@code Contact book is empty}, or because the account
	 * may not send as the campaign does
	 */
	public Mono<Campaign> start(Scope scope, UUID id) {
		return run(scope, id, CampaignAction.START);
	}

	/**
	 * Lets a paused campaign go on where it stopped, or begin where it never has.
	 * @throws dev.mailroom.Refused {@code Can only resume paused campaigns}, or as
	 * {@link #start} does
	 */
	public Mono<Campaign> resume(Scope scope, UUID id) {
		return run(scope, id, CampaignAction.RESUME);
	}

	private Mono<Campaign> run(Scope scope, UUID id, CampaignAction act) {
		Mono<Campaign> running = this.store.hold(scope, id)
			.flatMap((_) -> this.store.find(scope, id))
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.missing(id)))
			.flatMap((campaign) -> act.fits(campaign.status()) ? run(scope, campaign, act)
					: Mono.error(act.refused(id, campaign.status())));
		return this.transactions.in(scope, running);
	}

	private Mono<Campaign> run(Scope scope, Campaign before, CampaignAction act) {
		return this.moves.holdAccount(scope)
			.then(Mono.defer(() -> this.senders.choose(scope, before.sender())))
			.delayUntil((_) -> (before.startedAt() != null) ? Mono.empty() : needsContacts(scope, before))
			.flatMap((sender) -> moved(scope, before.id(), act,
					this.moves.run(scope, before.id(), before.status(), Objects.requireNonNull(sender.scope().domain()),
							this.clock.instant())))
			.delayUntil((campaign) -> this.events.record(
					List.of(campaign.event((before.startedAt() == null) ? "campaign.started" : "campaign.resumed"))));
	}

	private Mono<Boolean> needsContacts(Scope scope, Campaign campaign) {
		return this.moves.hasContacts(scope, campaign.contactBookId())
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(CampaignRefusals::empty));
	}

	/** What a move came to: the campaign as it stands now, or why it stays. */
	private Mono<Campaign> moved(Scope scope, UUID id, CampaignAction act, Mono<Long> move) {
		return move.flatMap((count) -> this.store.find(scope, id)
			.switchIfEmpty(Mono.error(() -> CampaignRefusals.missing(id)))
			.flatMap((campaign) -> (count > 0) ? Mono.just(campaign) : Mono.error(act.refused(id, campaign.status()))));
	}

}
