package dev.mailroom.campaign;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.campaign.AudienceStore.Candidate;
import dev.mailroom.campaign.AudienceStore.CandidatePage;
import dev.mailroom.campaign.CampaignPageStore.FanOutState;
import dev.mailroom.campaign.CampaignPageStore.Recipient;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.Warmups;
import dev.mailroom.event.EventKind;
import dev.mailroom.mail.accept.LimitReached;
import dev.mailroom.mail.accept.MailAccepted;
import dev.mailroom.mail.accept.Quotas;
import dev.mailroom.mail.queue.CampaignContents;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;

/**
 * The fan-out of running campaigns. A step selects the next contacts with narrow rows,
 * independently of the mails that are ready, and then makes mails of a page of selected
 * contacts, unless enough are ready. Both share a transaction with the cursors. Locks are
 * taken in the order campaign, warm-up, rows, quota. A contact gets one mail at most,
 * because a campaign has one recipient row for it.
 */
@Service
public class CampaignPages {

	/** Contacts of a page, which become mails. */
	private static final int MAX_CONTACTS = 1000;

	/** Contacts selected by the first step, which bounds the time to the first mail. */
	private static final int FIRST_SELECTED = MAX_CONTACTS;

	/** Contacts selected by a further step. */
	private static final int MAX_SELECTED = 20_000;

	/** Ready mails of a campaign above which it waits. */
	private static final int MAX_QUEUED = 5000;

	private final CampaignPageStore store;

	private final AudienceStore audience;

	private final CampaignRuns runs;

	private final CampaignContents contents;

	private final Warmups warmups;

	private final Quotas quotas;

	private final Transactions transactions;

	private final ApplicationEventPublisher publisher;

	private final NoArgGenerator ids;

	private final Clock clock;

	CampaignPages(CampaignPageStore store, AudienceStore audience, CampaignRuns runs, CampaignContents contents,
			Warmups warmups, Quotas quotas, Transactions transactions, ApplicationEventPublisher publisher,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.audience = audience;
		this.runs = runs;
		this.contents = contents;
		this.warmups = warmups;
		this.quotas = quotas;
		this.transactions = transactions;
		this.publisher = publisher;
		this.ids = ids;
		this.clock = clock;
	}

	/** Running campaigns that may have work to do, the oldest start first. */
	public Flux<Running> running() {
		return this.transactions.acrossAccounts(this.store.running());
	}

	/**
	 * Takes the next step of a campaign: creates the mails of a page, or ends the
	 * campaign. Without quota it is paused once its queued mails have left.
	 */
	public Mono<Step> next(Running campaign) {
		Scope scope = Scope.of(campaign.accountId());
		Mono<Step> step = campaign.fannedOut() ? finish(scope, campaign.id())
				: this.store.lock(scope, campaign.id(), MAX_QUEUED + 1).flatMap((state) -> step(scope, state));
		return this.transactions.in(scope, step)
			.defaultIfEmpty(Step.WAIT)
			.onErrorReturn(Refused.class, Step.WAIT)
			.doOnNext((done) -> {
				if (done.mails() > 0) {
					this.publisher.publishEvent(new MailAccepted(MailAccepted.Channel.CAMPAIGN, done.mails()));
				}
			});
	}

	private Mono<Step> finish(Scope scope, UUID id) {
		return this.store.finish(scope, id, this.clock.instant())
			.flatMap((_) -> this.runs.record(scope, id, EventKind.CAMPAIGN_SENT))
			.thenReturn(Step.WAIT);
	}

	private Mono<Step> step(Scope scope, FanOutState state) {
		if (!state.domainVerified()) {
			return pause(scope, state.id(), DueCampaign.DOMAIN_NOT_VERIFIED);
		}
		Mono<Boolean> complete = state.complete() ? Mono.just(true)
				: this.audience.select(scope, state, (state.selected() == 0) ? FIRST_SELECTED : MAX_SELECTED)
					.map(AudienceStore.Selection::complete);
		return complete.flatMap((done) -> nextPage(scope, state, done).map((step) -> step.orMore(!done)));
	}

	/**
	 * Makes mails of the next selected contacts.
	 * @param complete whether all contacts were selected
	 */
	private Mono<Step> nextPage(Scope scope, FanOutState state, boolean complete) {
		int limit = state.limit(MAX_CONTACTS, MAX_QUEUED);
		if (limit == 0) {
			return Mono.just(Step.WAIT);
		}
		return this.contents.of(List.of(state.id())).flatMap((contents) -> {
			Merging merging = new Merging(contents.get(state.id()));
			return this.audience.candidates(scope, state, limit)
				.collectList()
				.flatMap((page) -> insertWithinWarmup(scope, state, merging,
						new CandidatePage(page, complete && page.size() < limit)));
		});
	}

	/**
	 * Inserts the mails that the warm-up of the domain permits today, if there is one.
	 * Its counter is locked before, because only pages of the domain's campaigns wait for
	 * it.
	 */
	private Mono<Step> insertWithinWarmup(Scope scope, FanOutState state, Merging merging, CandidatePage page) {
		return !state.warming() ? insertWithinQuota(scope, state, merging, page)
				: this.warmups.left(scope, state.domainId()).defaultIfEmpty(Long.MAX_VALUE).flatMap((left) -> {
					CandidatePage permitted = page.first(left);
					return (permitted.candidates().isEmpty() && !permitted.last()) ? Mono.just(Step.WAIT)
							: insertWithinQuota(scope, state, merging, permitted)
								.delayUntil((step) -> (step.mails() > 0)
										? this.warmups.count(scope, state.domainId(), step.mails()) : Mono.empty());
				});
	}

	/**
	 * Inserts the mails of a page. The quota is reserved last, so that other mail of the
	 * account waits for the commit only; if it has become too small meanwhile, the page
	 * is rolled back. A quota that is nearly used up is reserved first instead.
	 */
	private Mono<Step> insertWithinQuota(Scope scope, FanOutState state, Merging merging, CandidatePage page) {
		long needed = page.candidates().stream().filter(Candidate::getsMail).count();
		if (needed == 0) {
			return insert(scope, state, merging, page, true);
		}
		Instant now = this.clock.instant();
		return this.quotas.left(scope, now)
			.flatMap((left) -> (left < needed) ? insertUpToQuota(scope, state, merging, page, needed)
					: insert(scope, state, merging, page, true)
						.delayUntil((step) -> reserve(scope, step.mails(), now)));
	}

	private Mono<Void> reserve(Scope scope, long mails, Instant now) {
		return (mails == 0) ? Mono.empty()
				: this.quotas.reserveUpTo(scope, mails, now)
					.flatMap((grant) -> Mono.justOrEmpty(grant.refusal()))
					.flatMap((limit) -> Mono.error(limit.refused()));
	}

	/** Inserts the mails that the quota permits; pauses the campaign if it is none. */
	private Mono<Step> insertUpToQuota(Scope scope, FanOutState state, Merging merging, CandidatePage page,
			long needed) {
		Instant now = this.clock.instant();
		return this.quotas.reserveUpTo(scope, needed, now).flatMap((grant) -> {
			if (grant.count() > 0) {
				// Contacts that were handled before need no quota.
				return insert(scope, state, merging, page.first(grant.count()), grant.refusal().isEmpty())
					.delayUntil((step) -> (step.mails() < grant.count())
							? this.quotas.giveBack(scope, grant.count() - step.mails(), now) : Mono.empty());
			}
			return (state.queued() > 0) ? Mono.just(Step.WAIT) : stop(scope, state.id(), grant.refusal().orElseThrow());
		});
	}

	private Mono<Step> stop(Scope scope, UUID id, LimitReached limit) {
		return pause(scope, id, "The quota is used up. " + limit.refused().message())
			.doOnSuccess((_) -> this.publisher.publishEvent(limit));
	}

	private Mono<Step> insert(Scope scope, FanOutState state, Merging merging, CandidatePage page, boolean quotaLeft) {
		List<Recipient> recipients = merging.recipients(page.candidates(), this.ids);
		double ahead = (state.pace() != null) ? Math.max(0, state.pacedAhead()) : 0;
		double spacing = (state.pace() != null) ? 60.0 / state.pace() : 0;
		Mono<Long> inserted = recipients.isEmpty() ? Mono.just(0L)
				: this.store.insert(scope, state.id(), recipients, ahead, spacing, this.clock.instant());
		return inserted
			.delayUntil((count) -> page.candidates().isEmpty() ? Mono.empty()
					: this.audience.advance(scope, state.id(), page.candidates().getLast().number(),
							ahead + count * spacing))
			.delayUntil((_) -> page.last() ? this.store.complete(scope, state.id()) : Mono.empty())
			.delayUntil(
					(count) -> (count > 0 && state.queued() == 0) ? this.store.notifyDispatcher(scope) : Mono.empty())
			.map((count) -> new Step(count.intValue(), !page.last() && quotaLeft && state.pace() == null));
	}

	private Mono<Step> pause(Scope scope, UUID id, String reason) {
		return this.runs.pause(scope, id, CampaignStatus.RUNNING, reason).thenReturn(Step.WAIT);
	}

	/**
	 * A running campaign.
	 *
	 * @param fannedOut whether all of its contacts were handled
	 */
	public record Running(UUID id, UUID accountId, boolean fannedOut) {
	}

	/**
	 * Result of a step.
	 *
	 * @param mails number of mails created
	 * @param more whether the next step can follow at once
	 */
	public record Step(int mails, boolean more) {

		static final Step WAIT = new Step(0, false);

		private Step orMore(boolean more) {
			return new Step(this.mails, this.more || more);
		}

	}

}
