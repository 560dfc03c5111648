package dev.mailroom.closure;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.Allowed;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.Secret;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.database.Transactions;
import dev.mailroom.upkeep.AccountMails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Service;

/**
 * Deletion of accounts after a time in which it can be cancelled. Until then the account
 * is paused. {@link Erasure} removes what it has.
 */
@Service
public class AccountDeletions {

	private final AccountDeletionStore store;

	private final Accounts accounts;

	private final Campaigns campaigns;

	private final AccountMails mails;

	private final Audits audits;

	private final Transactions transactions;

	private final Settings settings;

	AccountDeletions(AccountDeletionStore store, Accounts accounts, Campaigns campaigns, AccountMails mails,
			Audits audits, Transactions transactions, Settings settings) {
		this.store = store;
		this.accounts = accounts;
		this.campaigns = campaigns;
		this.mails = mails;
		this.audits = audits;
		this.transactions = transactions;
		this.settings = settings;
	}

	/** The time at which an account is deleted; empty if it stays. */
	public Mono<Instant> deleteAt(Scope scope) {
		return this.transactions.in(scope, this.store.deleteAt(scope));
	}

	/**
	 * Asks for the deletion of the account of an owner.
	 * @param name the name of the account, or its address if it has none
	 * @param password the password of the owner
	 * @return the account
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the name or the
	 * password is wrong, or if the account is being deleted or moved already or is no
	 * tenant's, {@code Rate limit exceeded} after too many attempts
	 */
	public Mono<Account> ask(Scope scope, String name, @Nullable Secret password) {
		return this.accounts.find(scope)
			.filter((account) -> name(account).equals(name.strip()))
			.switchIfEmpty(Mono.error(() -> Refusal.INVALID_REQUEST.field("name", "is not the name of the account")))
			.then(this.accounts.requirePassword(scope, password))
			.then(this.transactions.in(scope,
					pause(scope).filter(Boolean::booleanValue)
						.switchIfEmpty(Mono.error(() -> Refusal.INVALID_REQUEST
							.because("The account is being deleted or moved already, or is an operator's.")))
						.delayUntil((_) -> this.audits.record(scope, Act.ACCOUNT_DELETION_ASKED, "", Map.of()))))
			.then(Mono.defer(() -> this.accounts.find(scope)));
	}

	/**
	 * Pauses an account and its campaigns until its deletion, and tells its owners. Joins
	 * the caller's transaction.
	 * @return false if it is being deleted or moved already, or is no tenant's
	 */
	public Mono<Boolean> pause(Scope scope) {
		return this.store.ask(scope, this.settings.deletionDelay())
			.flatMap((asked) -> asked ? this.accounts.find(scope)
				.zipWith(this.store.deleteAt(scope))
				.flatMap((found) -> this.campaigns.pauseAll(scope, "the account will be deleted")
					.then(this.transactions.afterCommit(untold(scope), tell(scope.account(),
							(owner) -> new AccountNotice.DeletionAsked(owner, name(found.getT1()), found.getT2())))))
				.thenReturn(true) : Mono.just(false));
	}

	/**
	 * Cancels the deletion of the account of an owner.
	 * @return the account
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it has begun
	 */
	public Mono<Account> cancel(Scope scope) {
		return this.transactions
			.in(scope,
					resume(scope).filter(Boolean::booleanValue)
						.switchIfEmpty(
								Mono.error(() -> Refusal.INVALID_REQUEST.because("There is no deletion to cancel.")))
						.delayUntil((_) -> this.audits.record(scope, Act.ACCOUNT_DELETION_CANCELLED, "", Map.of())))
			.then(Mono.defer(() -> this.accounts.find(scope)));
	}

	/**
	 * Ends {@link #pause}, and tells the owners. Campaigns stay paused. Joins the
	 * caller's transaction.
	 * @return false if there is no deletion, or if it has begun
	 */
	public Mono<Boolean> resume(Scope scope) {
		return this.store.cancel(scope)
			.flatMap((cancelled) -> cancelled ? this.accounts.find(scope)
				.flatMap((account) -> this.transactions.afterCommit(untold(scope),
						tell(scope.account(), (owner) -> new AccountNotice.DeletionCancelled(owner, name(account)))))
				.thenReturn(true) : Mono.just(false));
	}

	/** Mails the owners of an account. */
	Mono<Void> tell(UUID account, Function<String, AccountNotice> notice) {
		return Flux
			.defer(() -> this.transactions.acrossAccounts(this.store.owners(Scope.of(account)).collectList())
				.flatMapIterable((owners) -> owners))
			.concatMap((owner) -> this.mails.send(notice.apply(owner)))
			.then();
	}

	private static String untold(Scope scope) {
		return "The owners of account " + scope.account() + " were not told of its deletion or of the end of it";
	}

	/** The name of an account as its owners type it. */
	static String name(Account account) {
		if (!account.name().isBlank()) {
			return account.name().strip();
		}
		return account.email().isEmpty() ? account.id().toString() : account.email();
	}

	/**
	 * Settings of deletions.
	 *
	 * @param deletionDelay time in which a deletion can be cancelled
	 */
	@ConfigurationProperties("mailroom")
	record Settings(@DefaultValue("7d") @Allowed(from = "1d", to = "90d") Duration deletionDelay) {
	}

}
