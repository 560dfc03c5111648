package dev.mailroom.campaign;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;

/**
 * Changes of campaigns by the system: the start of scheduled campaigns that are due, and
 * the pause of running campaigns when their account is paused.
 */
@Service
public class CampaignRuns {

	private static final Logger log = LoggerFactory.getLogger(CampaignRuns.class);

	private static final int MAX_DUE_PER_RUN = 1000;

	private final CampaignStore store;

	private final CampaignRunStore runStore;

	private final Transactions transactions;

	private final Events events;

	private final Settings settings;

	private final Clock clock;

	CampaignRuns(CampaignStore store, CampaignRunStore runStore, Transactions transactions, Events events,
			Settings settings, Clock clock) {
		this.store = store;
		this.runStore = runStore;
		this.transactions = transactions;
		this.events = events;
		this.settings = settings;
		this.clock = clock;
	}

	/**
	 * Starts the scheduled campaigns that are due. A campaign that is too late, or that
	 * may not be sent at present, is paused with the reason instead. Each campaign has a
	 * transaction of its own: one that fails is logged, does not affect the others, and
	 * is tried again on the next call.
	 * @return how many were started or paused
	 */
	public Mono<Long> startDue() {
		return this.transactions.acrossAccounts(this.runStore.due(MAX_DUE_PER_RUN).collectList())
			.flatMapIterable((due) -> due)
			.concatMap(this::startDue)
			.reduce(0L, Long::sum);
	}

	/**
	 * Holds or makes due waiting mails of campaigns whose status has changed and which
	 * had too many of them for one transaction: a limited number of each campaign. One
	 * that fails is logged and continued by the next call.
	 * @return number of mails
	 */
	public Mono<Long> followUp() {
		return this.transactions.acrossAccounts(this.runStore.followUps().collectList())
			.flatMapIterable((campaigns) -> campaigns)
			.concatMap(
					(campaign) -> this.transactions.in(campaign.scope(), followUp(campaign)).onErrorResume((error) -> {
						log.warn("The mails of campaign {} of account {} do not follow its status yet: {}",
								campaign.id(), campaign.accountId(), error.toString());
						return Mono.just(0L);
					}))
			.reduce(0L, Long::sum);
	}

	private Mono<Long> followUp(DueCampaign.Key campaign) {
		Scope scope = campaign.scope();
		return this.runStore.lockPaused(scope, campaign.id())
			.flatMap((paused) -> paused ? this.runStore.hold(scope, campaign.id())
					: this.runStore.release(scope, campaign.id()))
			.delayUntil((moved) -> (moved < CampaignRunStore.MAX_MOVED)
					? this.runStore.endFollowUp(scope, campaign.id()) : Mono.empty());
	}

	/** Number of campaigns in each status that occurs, for monitoring. */
	public Flux<Count> counts() {
		return this.transactions.acrossAccounts(this.runStore.counts());
	}

	/**
	 * Pauses the account's running campaigns. Each waits until its owner resumes it, also
	 * after the account's pause is lifted. Joins the transaction that pauses the account.
	 * @param accountPausedReason why the account is paused
	 * @return how many were running
	 */
	public Mono<Long> pauseAll(Scope scope, String accountPausedReason) {
		String reason = DueCampaign.accountPaused(accountPausedReason);
		return this.runStore.pauseAll(scope, reason, this.clock.instant())
			.collectList()
			.flatMapIterable((ids) -> ids)
			.concatMap((id) -> this.runStore.hold(scope, id).then(Mono.defer(() -> this.store.find(scope, id))))
			.map((campaign) -> campaign.event(EventKind.CAMPAIGN_PAUSED))
			.collectList()
			.flatMap((paused) -> this.events.record(List.copyOf(paused)).thenReturn((long) paused.size()));
	}

	private Mono<Long> startDue(DueCampaign.Key key) {
		Scope scope = key.scope();
		Mono<UUID> moved = this.runStore.lockDue(scope, key.id()).flatMap((due) -> startOrPause(scope, due));
		return this.transactions.in(scope, moved).map((_) -> 1L).defaultIfEmpty(0L).onErrorResume((error) -> {
			log.warn("Scheduled campaign {} of account {} could not be started and is tried again: {}", key.id(),
					key.accountId(), error.toString());
			return Mono.just(0L);
		});
	}

	private Mono<UUID> startOrPause(Scope scope, DueCampaign due) {
		return due.reasonToPause(this.settings.maxLateness())
			.map((reason) -> pause(scope, due.id(), CampaignStatus.SCHEDULED, reason))
			.orElseGet(() -> this.runStore
				.start(scope, due.id(), CampaignStatus.SCHEDULED, due.domainId(), this.clock.instant())
				.delayUntil((id) -> this.runStore.release(scope, id))
				.delayUntil((_) -> record(scope, due.id(),
						due.started() ? EventKind.CAMPAIGN_RESUMED : EventKind.CAMPAIGN_STARTED)));
	}

	/**
	 * Pauses a campaign with a reason and holds its ready mails. Joins the transaction of
	 * the caller, which has locked it.
	 * @return its id; empty if its status is no longer {@code from}
	 */
	Mono<UUID> pause(Scope scope, UUID id, CampaignStatus from, String reason) {
		return this.runStore.pause(scope, id, from, reason, this.clock.instant())
			.delayUntil((_) -> this.runStore.hold(scope, id))
			.delayUntil((_) -> record(scope, id, EventKind.CAMPAIGN_PAUSED));
	}

	/** Records an event of a campaign, in the transaction of the caller. */
	Mono<Void> record(Scope scope, UUID id, EventKind kind) {
		return this.store.find(scope, id).flatMap((campaign) -> this.events.record(List.of(campaign.event(kind))));
	}

	/** Number of campaigns with a status. */
	public record Count(String status, long count) {
	}

	/**
	 * Settings of campaigns.
	 *
	 * @param maxLateness longest delay after which a missed campaign still starts; later
	 * it is paused
	 */
	@ConfigurationProperties("mailroom.campaign")
	record Settings(@DefaultValue("24h") Duration maxLateness) {

		Settings {
			if (maxLateness.isNegative()) {
				throw new IllegalArgumentException("mailroom.campaign.max-lateness must not be negative");
			}
		}

	}

}
