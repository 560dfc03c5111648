package dev.mailroom.operator;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.AccountRows;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.outcome.Reputations;
import dev.mailroom.upkeep.PauseNotices;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
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

	private final Campaigns campaigns;

	private final PauseNotices notices;

	AutoPause(AutoPauseStore store, AccountRows accounts, AutoPauseSettings settings, Transactions transactions,
			Campaigns campaigns, PauseNotices notices) {
		this.store = store;
		this.accounts = accounts;
		this.settings = settings;
		this.transactions = transactions;
		this.campaigns = campaigns;
		this.notices = notices;
	}

	/**
	 * Pauses accounts with risky rates and notifies owners who have not been notified. An
	 * account that cannot be paused is logged and tried again by the next call.
	 * @return number of accounts paused
	 */
	public Mono<Long> pauseRiskyAccounts() {
		Flux<Rates> rates = this.settings.enabled()
				? this.transactions.acrossAccounts(this.store.rates(AutoPauseSettings.DAYS)) : Flux.empty();
		return rates.collectList()
			.flatMapIterable((all) -> all)
			.concatMap(this::pauseIfRisky)
			.reduce(0L, Long::sum)
			.delayUntil((_) -> notifyOwners());
	}

	/**
	 * Number of accounts that are not paused although a rate is risky, for monitoring:
	 * they wait for the next check, or automatic pausing is off.
	 */
	public Mono<Long> accountsAtRisk() {
		return this.transactions.acrossAccounts(this.store.rates(AutoPauseSettings.DAYS))
			.filter((rates) -> this.settings.reason(rates.figures()).isPresent())
			.count();
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

	private Mono<Long> pauseIfRisky(Rates rates) {
		Scope scope = Scope.of(rates.accountId());
		return Mono.justOrEmpty(this.settings.reason(rates.figures()))
			.flatMap((reason) -> this.transactions.in(scope, pause(scope, reason))
				.doOnNext((count) -> log.warn("Account {} is paused: {}", rates.accountId(), reason)))
			.onErrorResume((error) -> {
				log.warn("Account {} could not be paused for its rates; it is tried again: {}", rates.accountId(),
						error.toString());
				return Mono.empty();
			});
	}

	/** Pauses the campaigns too, unless the account has been paused meanwhile. */
	private Mono<Long> pause(Scope scope, String reason) {
		return this.accounts.pause(scope, reason)
			.delayUntil((count) -> (count > 0) ? this.campaigns.pauseAll(scope, reason) : Mono.empty());
	}

	private Mono<Void> notifyOwners() {
		return this.transactions.acrossAccounts(this.store.notices(MAX_NOTICES))
			.collectList()
			.flatMapIterable((notices) -> notices)
			.concatMap(this::notifyOwner)
			.then();
	}

	/** The name makes the mail idempotent: a crash before the second step repeats it. */
	private Mono<Void> notifyOwner(Notice notice) {
		Scope scope = Scope.of(notice.accountId());
		return this.notices.send(notice.accountId(), notice.owner(), notice.reason())
			.then(Mono.defer(() -> this.transactions.in(scope, this.accounts.markNotified(scope))))
			.onErrorResume((error) -> {
				log.warn("The owner of account {} could not be notified of the pause; it is tried again: {}",
						notice.accountId(), error.toString());
				return Mono.empty();
			});
	}

	/** Counts of an account over the observed days. */
	record Rates(UUID accountId, long delivered, long hardBounced, long complained) {

		Reputations.Figures figures() {
			return new Reputations.Figures(this.delivered, this.hardBounced, this.complained);
		}

	}

	/** A pending notification of an owner. */
	record Notice(UUID accountId, String owner, String reason) {
	}

}
