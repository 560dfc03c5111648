package dev.mailroom.operator;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.AccountRows;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.upkeep.PauseNotices;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Pauses accounts whose bounce or complaint rate is risky, until an operator lifts the
 * pause. The owner is notified with the reason.
 */
@Service
public class AutoPause {

	private static final Logger log = LoggerFactory.getLogger(AutoPause.class);

	private static final int MAX_NOTICES = 64;

	private final AutoPauseStore store;

	private final AccountRows accounts;

	private final AutoPauseSettings settings;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	private final Campaigns campaigns;

	private final PauseNotices notices;

	AutoPause(AutoPauseStore store, AccountRows accounts, AutoPauseSettings settings, Transactions transactions,
			JdbcTransactions threads, Campaigns campaigns, PauseNotices notices) {
		this.store = store;
		this.accounts = accounts;
		this.settings = settings;
		this.transactions = transactions;
		this.threads = threads;
		this.campaigns = campaigns;
		this.notices = notices;
	}

	/**
	 * Pauses accounts with risky rates and notifies owners who have not been notified. An
	 * account that cannot be paused is logged and tried again by the next call.
	 * @return number of accounts paused
	 */
	public long pauseRiskyAccounts() {
		long paused = this.settings.enabled() ? rates().stream().filter(this::pauseIfRisky).count() : 0;
		notifyOwners();
		return paused;
	}

	/**
	 * Number of accounts that are not paused although a rate is risky, for monitoring:
	 * they wait for the next check, or automatic pausing is off.
	 */
	public long accountsAtRisk() {
		return rates().stream().filter((rates) -> this.settings.reason(rates.figures()).isPresent()).count();
	}

	private List<Rates> rates() {
		return this.threads.acrossAccounts((jdbc) -> this.store.rates(jdbc, AutoPauseSettings.DAYS));
	}

	/**
	 * Pauses an account and its running campaigns, on behalf of an operator. The owner is
	 * notified.
	 * @param reason the reason, as the owner reads it
	 * @return whether the account was not paused before
	 */
	public Mono<Boolean> suspend(Scope scope, String reason) {
		return this.transactions.in(scope, pause(scope, reason)).map((count) -> count > 0);
	}

	/**
	 * Lifts a pause, on behalf of an operator. Mail counted until the next midnight of
	 * UTC does not pause the account again.
	 * @return whether the account was paused
	 */
	public Mono<Boolean> lift(Scope scope) {
		return this.transactions.in(scope, this.accounts.lift(scope)).map((count) -> count > 0);
	}

	private boolean pauseIfRisky(Rates rates) {
		@Nullable String reason = this.settings.reason(rates.figures()).orElse(null);
		if (reason == null) {
			return false;
		}
		try {
			boolean paused = suspend(Scope.of(rates.accountId()), reason).blockOptional().orElse(false);
			log.warn("Account {} is paused: {}", rates.accountId(), reason);
			return paused;
		}
		catch (RuntimeException ex) {
			log.warn("Account {} could not be paused for its rates; it is tried again: {}", rates.accountId(),
					ex.toString());
			return false;
		}
	}

	/** Pauses the campaigns too, unless the account has been paused meanwhile. */
	private Mono<Long> pause(Scope scope, String reason) {
		return this.accounts.pause(scope, reason)
			.delayUntil((count) -> (count > 0) ? this.campaigns.pauseAll(scope, reason) : Mono.empty());
	}

	private void notifyOwners() {
		this.threads.acrossAccounts((jdbc) -> this.store.notices(jdbc, MAX_NOTICES)).forEach(this::notifyOwner);
	}

	/** The name makes the mail idempotent: a crash before the second step repeats it. */
	private void notifyOwner(Notice notice) {
		Scope scope = Scope.of(notice.accountId());
		try {
			this.notices.send(notice.accountId(), notice.reason());
			this.threads.run(scope, (jdbc) -> this.accounts.markNotified(jdbc, scope));
		}
		catch (RuntimeException ex) {
			log.warn("The owner of account {} could not be notified of the pause; it is tried again: {}",
					notice.accountId(), ex.toString());
		}
	}

	/** Counts of an account over the observed days. */
	record Rates(UUID accountId, long delivered, long hardBounced, long complained) {

		Reputations.Figures figures() {
			return new Reputations.Figures(this.delivered, this.hardBounced, this.complained);
		}

	}

	/** A pending notification of an owner. */
	record Notice(UUID accountId, String reason) {
	}

}
