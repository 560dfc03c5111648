package dev.mailroom.campaign;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.FieldErrors;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import dev.mailroom.mail.accept.Senders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Campaigns of an account, as their owner creates, edits, starts and pauses them, and as
 * a pause of the account stops them.
 */
@Service
public class Campaigns {

	private static final Duration MAX_DELAY = Duration.ofMinutes(1);

	private final CampaignStore store;

	private final CampaignReferences references;

	private final Senders senders;

	private final Transactions transactions;

	private final Events events;

	private final NoArgGenerator ids;

	private final Clock clock;

	Campaigns(CampaignStore store, CampaignReferences references, Senders senders, Transactions transactions,
			Events events, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.references = references;
		this.senders = senders;
		this.transactions = transactions;
		this.events = events;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Creates a campaign: scheduled if it has a {@code send_at}, otherwise a draft.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Contact book not found}, {@code Template not found} or
	 * {@code From domain mismatch}
	 */
	public Mono<Campaign> create(Scope scope, Campaign.Form form) {
		return Mono.defer(() -> {
			CampaignRules.Checked checked = CampaignRules.check(form, null, this.clock.instant());
			UUID id = this.ids.generate();
			Mono<Campaign> created = this.references.resolve(scope, checked)
				.flatMap((campaign) -> this.store.insert(scope, id, campaign, this.clock.instant()))
				.then(Mono.defer(() -> this.store.find(scope, id)));
			return this.transactions.in(scope, created);
		});
	}

	/** Lists the account's campaigns, newest first, and counts them. */
	public Mono<Page<Campaign.Listed>> list(Scope scope, Campaign.Filter filter, Page.Request page) {
		return this.transactions.list(scope, read(scope, filter, page)
			.flatMap((campaigns) -> this.store.count(scope, filter).map((total) -> Page.of(campaigns, page, total))));
	}

	/** The campaigns of a page, newest first. They are not counted. */
	public Mono<List<Campaign.Listed>> read(Scope scope, Campaign.Filter filter, Page.Request page) {
		return this.transactions.list(scope, this.store.list(scope, filter, page).collectList());
	}

	/**
	 * Finds a campaign of the account.
	 * @throws dev.mailroom.Refused {@code Campaign not found}
	 */
	public Mono<Campaign> find(Scope scope, UUID id) {
		return this.transactions.in(scope, existing(scope, id));
	}

	/**
	 * Edits a draft or scheduled campaign. Setting {@code send_at} makes it scheduled,
	 * removing it makes it a draft. After the first start only the name and the time may
	 * change.
	 * @param edit maps the present fields to the new ones
	 * @throws dev.mailroom.Refused {@code Campaign not found},
	 * {@code Can only edit draft or scheduled campaigns},
	 * {@code Can only rename or move campaigns that have started}, or as {@link #create}
	 */
	public Mono<Campaign> update(Scope scope, UUID id, UnaryOperator<Campaign.Form> edit) {
		Mono<Campaign> updated = locked(scope, id).flatMap((before) -> edit(scope, before, edit.apply(before.form())))
			.then(Mono.defer(() -> this.store.find(scope, id)));
		return this.transactions.in(scope, updated);
	}

	/**
	 * Deletes a campaign that is not running. Its mails stay in the log; those that still
	 * wait fail.
	 * @throws dev.mailroom.Refused {@code Campaign not found} or
	 * {@code Can only delete campaigns that are not running}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<UUID> deleted = this.store.delete(scope, id)
			.switchIfEmpty(refuse(scope, id, CampaignAction.DELETE))
			.delayUntil((_) -> this.store.release(scope, id));
		return this.transactions.in(scope, deleted).then();
	}

	/**
	 * Pauses a running campaign. Its queued mail stays queued until it is resumed: from
	 * then on, only mails that a worker has begun to hand over are sent.
	 * @throws dev.mailroom.Refused {@code Campaign not found} or
	 * {@code Can only pause running campaigns}
	 */
	public Mono<Campaign> pause(Scope scope, UUID id) {
		Mono<Campaign> paused = this.store.pause(scope, id, this.clock.instant())
			.switchIfEmpty(refuse(scope, id, CampaignAction.PAUSE))
			.delayUntil((_) -> hold(scope, List.of(id)))
			.flatMap((_) -> this.store.find(scope, id))
			.delayUntil((campaign) -> this.events.record(List.of(campaign.event(EventKind.CAMPAIGN_PAUSED))));
		return this.transactions.in(scope, paused);
	}

	/**
	 * Pauses the account's running campaigns. Each waits until its owner resumes it, also
	 * after the account's pause is lifted. Joins the transaction that pauses the account.
	 * @param accountPausedReason why the account is paused
	 * @return how many were running
	 */
	public Mono<Long> pauseAll(Scope scope, String accountPausedReason) {
		return this.store.pauseAll(scope, DueCampaign.accountPaused(accountPausedReason), this.clock.instant())
			.collectList()
			.delayUntil((ids) -> ids.isEmpty() ? Mono.empty() : hold(scope, ids))
			.flatMapIterable((ids) -> ids)
			.concatMap((id) -> this.store.find(scope, id))
			.map((campaign) -> campaign.event(EventKind.CAMPAIGN_PAUSED))
			.collectList()
			.flatMap((paused) -> this.events.record(List.copyOf(paused)).thenReturn((long) paused.size()));
	}

	/**
	 * Holds the mails of campaigns that were paused in the open transaction. A second
	 * transaction, after its commit, holds mails that were leased while it was open, and
	 * waits for fences that still saw a running campaign.
	 */
	private Mono<Void> hold(Scope scope, Collection<UUID> ids) {
		Mono<Long> heldAfterwards = this.store.lockStopped(scope, ids)
			.collectList()
			.filter((stopped) -> !stopped.isEmpty())
			.flatMap((stopped) -> this.store.hold(scope, stopped));
		return this.store.hold(scope, ids)
			.then(this.transactions.afterCommit(
					"Campaigns " + ids + " are paused, but leased mails are held only when a worker begins them",
					this.transactions.in(scope, heldAfterwards)));
	}

	/**
	 * Schedules a draft or paused campaign.
	 * @param sendAt ISO 8601 with an offset, in the future, within 30 days
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Campaign not found} or {@code Can only schedule draft or paused campaigns}
	 */
	public Mono<Campaign> schedule(Scope scope, UUID id, @Nullable String sendAt) {
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			Instant at = CampaignRules.sendAt(sendAt, now);
			Mono<Campaign> scheduled = this.store.schedule(scope, id, at, now)
				.switchIfEmpty(refuse(scope, id, CampaignAction.SCHEDULE))
				.flatMap((_) -> this.store.find(scope, id));
			return this.transactions.in(scope, scheduled);
		});
	}

	/**
	 * Makes a scheduled campaign a draft again.
	 * @throws dev.mailroom.Refused {@code Campaign not found} or
	 * {@code Can only unschedule scheduled campaigns}
	 */
	public Mono<Campaign> unschedule(Scope scope, UUID id) {
		Mono<Campaign> unscheduled = this.store.unschedule(scope, id, this.clock.instant())
			.switchIfEmpty(refuse(scope, id, CampaignAction.UNSCHEDULE))
			.flatMap((_) -> this.store.find(scope, id));
		return this.transactions.in(scope, unscheduled);
	}

	/**
	 * Starts a draft. Its content and its number of contacts are fixed from here on.
	 * @throws dev.mailroom.Refused {@code Campaign not found},
	 * {@code Can only start draft campaigns}, {@code Contact book is empty}, or as
	 * {@link Senders#choose}
	 */
	public Mono<Campaign> start(Scope scope, UUID id) {
		return start(scope, id, CampaignAction.START);
	}

	/**
	 * Schedules a draft that could be started now, so that its author may take it back by
	 * {@link #unschedule}.
	 * @param delay from one second to a minute
	 * @throws dev.mailroom.Refused as {@link #start}, or {@code Invalid request data}
	 */
	public Mono<Campaign> startAfter(Scope scope, UUID id, Duration delay) {
		return Mono.defer(() -> {
			FieldErrors errors = new FieldErrors();
			if (!delay.isPositive() || delay.compareTo(MAX_DELAY) > 0) {
				errors.add("delay_seconds", "must be from 0 to " + MAX_DELAY.toSeconds());
			}
			errors.refuseIfAny();
			Instant now = this.clock.instant();
			Mono<Campaign> scheduled = permitted(scope, id, CampaignAction.START)
				.delayUntil((campaign) -> sender(scope, campaign))
				.flatMap((_) -> this.store.schedule(scope, id, now.plus(delay), now))
				.flatMap((_) -> this.store.find(scope, id));
			return this.transactions.in(scope, scheduled);
		});
	}

	/**
	 * Resumes a paused campaign, or starts it if it has never run.
	 * @throws dev.mailroom.Refused {@code Campaign not found},
	 * {@code Can only resume paused campaigns}, {@code Contact book is empty}, or as
	 * {@link Senders#choose}
	 */
	public Mono<Campaign> resume(Scope scope, UUID id) {
		return start(scope, id, CampaignAction.RESUME);
	}

	private Mono<Campaign> start(Scope scope, UUID id, CampaignAction action) {
		return this.transactions.in(scope, permitted(scope, id, action).flatMap((campaign) -> start(scope, campaign)));
	}

	private Mono<Campaign> permitted(Scope scope, UUID id, CampaignAction action) {
		return locked(scope, id).flatMap((campaign) -> action.isPermittedIn(campaign.status()) ? Mono.just(campaign)
				: Mono.error(action.refused(id, campaign.status())));
	}

	/** The sender of a campaign that has recipients. The account stays locked. */
	private Mono<Senders.Sender> sender(Scope scope, Campaign campaign) {
		return this.store.lockAccount(scope)
			.then(Mono.defer(() -> this.senders.choose(scope, campaign.sender())))
			.filterWhen((_) -> (campaign.startedAt() == null) ? this.store.hasSubscribers(scope, campaign.id())
					: Mono.just(true))
			.switchIfEmpty(Mono.error(CampaignRefusals::empty));
	}

	private Mono<Campaign> start(Scope scope, Campaign before) {
		boolean first = before.startedAt() == null;
		return sender(scope, before)
			.flatMap((sender) -> this.store.start(scope, before.id(), before.status(),
					Objects.requireNonNull(sender.scope().domain()), this.clock.instant()))
			.delayUntil((id) -> this.store.release(scope, id))
			.flatMap((_) -> this.store.find(scope, before.id()))
			.delayUntil((campaign) -> this.events
				.record(List.of(campaign.event(first ? EventKind.CAMPAIGN_STARTED : EventKind.CAMPAIGN_RESUMED))));
	}

	private Mono<Void> edit(Scope scope, Campaign before, Campaign.Form form) {
		if (!CampaignAction.EDIT.isPermittedIn(before.status())) {
			return Mono.error(CampaignAction.EDIT.refused(before.id(), before.status()));
		}
		CampaignRules.Checked checked = CampaignRules.check(form, before.sendAt(), this.clock.instant());
		if (before.startedAt() == null) {
			return this.references.resolve(scope, checked)
				.flatMap((campaign) -> this.store.update(scope, before.id(), campaign, this.clock.instant()));
		}
		if (!form.withNameAndTimeOf(before.form()).equals(before.form())) {
			return Mono.error(CampaignRefusals.frozen(before.id()));
		}
		return this.store.rename(scope, before.id(), checked, this.clock.instant());
	}

	private Mono<Campaign> existing(Scope scope, UUID id) {
		return this.store.find(scope, id).switchIfEmpty(Mono.error(() -> CampaignRefusals.missing(id)));
	}

	private Mono<Campaign> locked(Scope scope, UUID id) {
		return this.store.lock(scope, id).then(Mono.defer(() -> existing(scope, id)));
	}

	private <T> Mono<T> refuse(Scope scope, UUID id, CampaignAction action) {
		return existing(scope, id).flatMap((campaign) -> Mono.error(() -> action.refused(id, campaign.status())));
	}

}
