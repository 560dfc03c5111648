package dev.mailroom.campaign;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Allowed;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.event.EventKind;
import dev.mailroom.event.Events;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Changes of a campaign's status by the worker: the start of scheduled campaigns that are
 * due, pauses for a reason, and the end. Waiting mails that are too many for the
 * transaction of a change follow it here.
 */
@Service
public class CampaignRuns {

	private static final Logger log = LoggerFactory.getLogger(CampaignRuns.class);

	private static final int MAX_DUE_PER_RUN = 1000;

	private final CampaignFanOutStore store;

	private final CampaignStore campaigns;

	private final JdbcTransactions transactions;

	private final Events events;

	private final Settings settings;

	private final Clock clock;

	CampaignRuns(CampaignFanOutStore store, CampaignStore campaigns, JdbcTransactions transactions, Events events,
			Settings settings, Clock clock) {
		this.store = store;
		this.campaigns = campaigns;
		this.transactions = transactions;
		this.events = events;
		this.settings = settings;
		this.clock = clock;
	}

	/** Whether a campaign runs, also if it has nothing to do at present. */
	public boolean anyRunning() {
		return this.transactions.acrossAccounts(this.store::anyRunning);
	}

	/** Whether a campaign is to start within a time, or is overdue. */
	public boolean anyDueWithin(Duration time) {
		return this.transactions.acrossAccounts((jdbc) -> this.store.anyDueWithin(jdbc, time));
	}

	/**
	 * Starts the scheduled campaigns that are due. A campaign that is too late, or that
	 * may not be sent at present, is paused with the reason instead. Each campaign has a
	 * transaction of its own: one that fails is logged, does not affect the others, and
	 * is tried again on the next call.
	 * @return how many were started or paused
	 */
	public long startDue() {
		List<DueCampaign.Key> due = this.transactions.acrossAccounts((jdbc) -> this.store.due(jdbc, MAX_DUE_PER_RUN));
		return due.stream().filter(this::startDue).count();
	}

	private boolean startDue(DueCampaign.Key key) {
		Scope scope = key.scope();
		try {
			return this.transactions.in(scope,
					(jdbc) -> this.store.lockDue(jdbc, scope, key.id())
						.filter((due) -> startOrPause(jdbc, scope, due))
						.isPresent());
		}
		catch (RuntimeException ex) {
			log.warn("Scheduled campaign {} of account {} could not be started and is tried again: {}", key.id(),
					key.accountId(), ex.toString());
			return false;
		}
	}

	private boolean startOrPause(JdbcClient jdbc, Scope scope, DueCampaign due) {
		@Nullable String reason = due.reasonToPause(this.settings.maxLateness()).orElse(null);
		if (reason != null) {
			return pause(jdbc, scope, due.id(), CampaignStatus.SCHEDULED, reason);
		}
		if (!this.campaigns.start(jdbc, scope, due.id(), CampaignStatus.SCHEDULED, due.domainId(),
				this.clock.instant())) {
			return false;
		}
		this.campaigns.release(jdbc, scope, due.id());
		record(jdbc, scope, due.id(), due.started() ? EventKind.CAMPAIGN_RESUMED : EventKind.CAMPAIGN_STARTED);
		return true;
	}

	/**
	 * Holds or makes due waiting mails of campaigns whose status has changed and which
	 * had too many of them for one transaction: a limited number of each campaign. One
	 * that fails is logged and continued by the next call.
	 * @return number of mails
	 */
	public long followUp() {
		return this.transactions.acrossAccounts(this.store::followUps).stream().mapToLong(this::followUp).sum();
	}

	private long followUp(DueCampaign.Key campaign) {
		Scope scope = campaign.scope();
		try {
			return this.transactions.<Integer>in(scope, (jdbc) -> {
				// A deleted campaign is not found: its mails are released and fail at the
				// fence.
				int moved = this.campaigns.lockStopped(jdbc, scope, campaign.id())
						? this.campaigns.hold(jdbc, scope, campaign.id())
						: this.campaigns.release(jdbc, scope, campaign.id());
				if (moved < CampaignStore.MAX_MOVED) {
					this.store.endFollowUp(jdbc, scope, campaign.id());
				}
				return moved;
			});
		}
		catch (RuntimeException ex) {
			log.warn("The mails of campaign {} of account {} do not follow its status yet: {}", campaign.id(),
					campaign.accountId(), ex.toString());
			return 0;
		}
	}

	/**
	 * Pauses a campaign with a reason and holds its ready mails. The caller has locked
	 * it.
	 * @return whether its status was {@code from}
	 */
	boolean pause(JdbcClient jdbc, Scope scope, UUID id, CampaignStatus from, String reason) {
		if (!this.store.pause(jdbc, scope, id, from, reason, this.clock.instant())) {
			return false;
		}
		this.campaigns.hold(jdbc, scope, id);
		record(jdbc, scope, id, EventKind.CAMPAIGN_PAUSED);
		return true;
	}

	/** Ends a campaign whose mails are all settled. */
	void finish(JdbcClient jdbc, Scope scope, UUID id) {
		if (this.store.finish(jdbc, scope, id, this.clock.instant())) {
			record(jdbc, scope, id, EventKind.CAMPAIGN_SENT);
		}
	}

	private void record(JdbcClient jdbc, Scope scope, UUID id, EventKind kind) {
		this.events.record(jdbc, List.of(this.campaigns.get(jdbc, scope, id).event(kind)));
	}

	/**
	 * Settings of campaigns.
	 *
	 * @param maxLateness longest delay after which a missed campaign still starts; later
	 * it is paused
	 */
	@ConfigurationProperties("mailroom.campaign")
	record Settings(@DefaultValue("24h") @Allowed(from = "0s", to = "30d") Duration maxLateness) {

	}

}
