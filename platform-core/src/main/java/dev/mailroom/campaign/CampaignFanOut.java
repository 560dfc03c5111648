package dev.mailroom.campaign;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.campaign.CampaignFanOutStore.Candidate;
import dev.mailroom.campaign.CampaignFanOutStore.FanOutState;
import dev.mailroom.campaign.CampaignFanOutStore.Recipient;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.domain.Warmups;
import dev.mailroom.mail.accept.MailAccepted;
import dev.mailroom.mail.accept.Quotas;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The fan-out of running campaigns. A step selects the next contacts with narrow rows,
 * independently of the mails that are ready, and then makes mails of a page of selected
 * contacts, unless enough are ready. Both share a transaction with the cursors. Locks are
 * taken in the order campaign, warm-up, rows, quota. A contact gets one mail at most,
 * because a campaign has one recipient row for it.
 */
@Service
public class CampaignFanOut {

	/** Contacts of a page, which become mails. */
	private static final int MAX_CONTACTS = 1000;

	/** Contacts of the first page: its mails can be sent after a short transaction. */
	private static final int FIRST_CONTACTS = 50;

	/** Contacts of the next page, which is ready before the first one is sent. */
	private static final int SECOND_CONTACTS = 200;

	/** Contacts selected by the first step, which bounds the time to the first mail. */
	private static final int FIRST_SELECTED = MAX_CONTACTS;

	/** Contacts selected by a further step. */
	private static final int MAX_SELECTED = 20_000;

	/** Ready mails of a campaign above which it waits. */
	private static final int MAX_QUEUED = 5000;

	/** Campaigns whose placeholders are kept, each a few names. */
	private static final int MAX_CACHED = 1000;

	private static final Duration CACHED_FOR = Duration.ofMinutes(10);

	private final CampaignFanOutStore store;

	private final CampaignRuns runs;

	private final Warmups warmups;

	private final Quotas quotas;

	private final JdbcTransactions transactions;

	private final ApplicationEventPublisher publisher;

	private final NoArgGenerator ids;

	/** The content does not change after the first start. */
	private final Cache<UUID, Merging> mergings = Caffeine.newBuilder()
		.maximumSize(MAX_CACHED)
		.expireAfterWrite(CACHED_FOR)
		.build();

	CampaignFanOut(CampaignFanOutStore store, CampaignRuns runs, Warmups warmups, Quotas quotas,
			JdbcTransactions transactions, ApplicationEventPublisher publisher, NoArgGenerator ids) {
		this.store = store;
		this.runs = runs;
		this.warmups = warmups;
		this.quotas = quotas;
		this.transactions = transactions;
		this.publisher = publisher;
		this.ids = ids;
	}

	/** Running campaigns that may have work to do, the oldest start first. */
	public List<Running> running() {
		return this.transactions.acrossAccounts(this.store::running);
	}

	/**
	 * Takes the next step of a campaign: creates the mails of a page, or ends the
	 * campaign. Without quota it is paused once its queued mails have left.
	 */
	public Step next(Running campaign) {
		Scope scope = Scope.of(campaign.accountId());
		try {
			Step step = this.transactions.in(scope, (jdbc) -> next(jdbc, scope, campaign));
			if (step.mails() > 0) {
				this.publisher.publishEvent(new MailAccepted(MailAccepted.Channel.CAMPAIGN, step.mails()));
			}
			return step;
		}
		catch (Refused _) {
			// Other mail has used the quota meanwhile. The next step reserves it first.
			return Step.WAIT;
		}
	}

	private Step next(JdbcClient jdbc, Scope scope, Running campaign) {
		if (campaign.fannedOut()) {
			this.runs.finish(jdbc, scope, campaign.id());
			return Step.WAIT;
		}
		Optional<FanOutState> locked = this.store.lock(jdbc, scope, campaign.id(), MAX_QUEUED + 1);
		if (locked.isEmpty()) {
			return Step.WAIT;
		}
		FanOutState state = locked.get();
		if (!state.domainVerified()) {
			this.runs.pause(jdbc, scope, state.id(), CampaignStatus.RUNNING, DueCampaign.DOMAIN_NOT_VERIFIED);
			return Step.WAIT;
		}
		boolean complete = state.complete()
				|| this.store.select(jdbc, scope, state, (state.selected() == 0) ? FIRST_SELECTED : MAX_SELECTED);
		Step step = nextPage(jdbc, scope, state, complete);
		return complete ? step : new Step(step.mails(), true);
	}

	/**
	 * Makes mails of the next selected contacts, as many as the warm-up and the quota
	 * permit. The counter of the warm-up is locked before the rows are inserted, because
	 * only pages of the domain's campaigns wait for it. The quota is reserved last, so
	 * that other mail of the account waits for the commit only; if it has become too
	 * small meanwhile, the page is rolled back. A quota that is nearly used up is
	 * reserved first instead.
	 * @param complete whether all contacts were selected
	 */
	private Step nextPage(JdbcClient jdbc, Scope scope, FanOutState state, boolean complete) {
		int limit = state.limit(maxContacts(state), MAX_QUEUED);
		if (limit == 0) {
			return Step.WAIT;
		}
		List<Candidate> selected = this.store.candidates(jdbc, scope, state, limit);
		ContactPage page = new ContactPage(selected, complete && selected.size() < limit);
		if (state.warming()) {
			page = page.first(this.warmups.left(jdbc, scope, state.domainId()));
			if (page.contacts().isEmpty() && !page.last()) {
				return Step.WAIT;
			}
		}
		long reserved = 0;
		boolean quotaLeft = true;
		if (page.mails() > 0 && this.quotas.left(jdbc, scope, state.now()) < page.mails()) {
			Quotas.Grant grant = this.quotas.reserveUpTo(jdbc, scope, page.mails(), state.now());
			if (grant.count() == 0) {
				return (state.queued() > 0) ? Step.WAIT : stop(jdbc, scope, state.id(), grant.refusal().orElseThrow());
			}
			reserved = grant.count();
			quotaLeft = grant.refusal().isEmpty();
			page = page.first(reserved);
		}
		int mails = insert(jdbc, scope, state, page);
		if (state.warming() && mails > 0) {
			this.warmups.count(jdbc, scope, state.domainId(), mails);
		}
		if (mails > reserved) {
			reserve(jdbc, scope, mails, state);
		}
		else if (mails < reserved) {
			// Contacts that were handled before need no quota.
			this.quotas.giveBack(jdbc, scope, reserved - mails, state.now());
		}
		return new Step(mails, !page.last() && quotaLeft && state.pace() == null);
	}

	private static int maxContacts(FanOutState state) {
		if (state.handled() == 0) {
			return FIRST_CONTACTS;
		}
		return (state.handled() <= FIRST_CONTACTS) ? SECOND_CONTACTS : MAX_CONTACTS;
	}

	/** Reserves the quota of a page without a reservation. */
	private void reserve(JdbcClient jdbc, Scope scope, long mails, FanOutState state) {
		this.quotas.reserveUpTo(jdbc, scope, mails, state.now()).refusal().ifPresent((limit) -> {
			throw limit.refused();
		});
	}

	private Step stop(JdbcClient jdbc, Scope scope, UUID id, Quotas.LimitReached limit) {
		this.runs.pause(jdbc, scope, id, CampaignStatus.RUNNING, "The quota is used up. " + limit.refused().message());
		this.publisher.publishEvent(limit);
		return Step.WAIT;
	}

	/** Inserts the mails of a page and moves the cursor. */
	private int insert(JdbcClient jdbc, Scope scope, FanOutState state, ContactPage page) {
		List<Recipient> recipients = merging(jdbc, scope, state.id()).recipients(page.contacts(), this.ids);
		double ahead = (state.pace() != null) ? Math.max(0, state.pacedAhead()) : 0;
		double spacing = (state.pace() != null) ? 60.0 / state.pace() : 0;
		int mails = recipients.isEmpty() ? 0 : this.store.insert(jdbc, scope, state, recipients, ahead, spacing);
		if (!page.contacts().isEmpty()) {
			this.store.advance(jdbc, scope, state.id(), page.contacts().getLast().number(), ahead + mails * spacing);
		}
		if (page.last()) {
			this.store.complete(jdbc, scope, state.id());
		}
		if (mails > 0 && state.queued() == 0) {
			this.store.notifyDispatcher(jdbc, scope);
		}
		return mails;
	}

	private Merging merging(JdbcClient jdbc, Scope scope, UUID id) {
		return this.mergings.get(id, (_) -> this.store.merging(jdbc, scope, id));
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

	}

	/**
	 * Selected contacts in their order.
	 *
	 * @param last whether no contact follows
	 */
	private record ContactPage(List<Candidate> contacts, boolean last) {

		long mails() {
			return this.contacts.stream().filter(Candidate::getsMail).count();
		}

		/** The page up to a number of mails. */
		ContactPage first(long mails) {
			long left = mails;
			for (int i = 0; i < this.contacts.size(); i++) {
				if (this.contacts.get(i).getsMail()) {
					if (left == 0) {
						return new ContactPage(this.contacts.subList(0, i), false);
					}
					left--;
				}
			}
			return this;
		}

	}

}
