package dev.mailroom.account;

import java.time.Clock;
import java.util.Optional;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Accounts as their owners see them, and the two that the platform itself needs. */
@Service
public class Accounts {

	private static final Logger log = LoggerFactory.getLogger(Accounts.class);

	/** No address that can be registered: it has no top-level domain. */
	private static final String PLATFORM_ADDRESS = "platform@localhost";

	private final AccountStore store;

	private final PasswordVerifier keeper;

	private final Passwords passwords;

	private final Transactions transactions;

	private final AccountSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	Accounts(AccountStore store, PasswordVerifier keeper, Passwords passwords, Transactions transactions,
			AccountSettings settings, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.keeper = keeper;
		this.passwords = passwords;
		this.transactions = transactions;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
	}

	/** The account; empty where there is none. */
	public Mono<Account> find(Scope scope) {
		return this.transactions.in(scope, this.store.find(scope));
	}

	/**
	 * Changes what the owner may change. A changed password ends every session, also the
	 * one that asks.
	 */
	public Mono<Account> amend(Scope scope, AccountUpdate amendment) {
		Mono<Void> password = Mono.justOrEmpty(amendment.password())
			.flatMap((it) -> this.keeper.change(scope, it.current(), it.next()));
		Mono<Void> name = Mono.justOrEmpty(amendment.name())
			.flatMap((it) -> this.transactions.in(scope, this.store.rename(scope, it)))
			.then();
		return password.then(name).then(find(scope));
	}

	/** By which way the account's mail leaves; empty where there is no such account. */
	public Mono<TransportChoice> way(Scope scope) {
		return this.transactions.in(scope, this.store.way(scope));
	}

	/**
	 * Has the account's mail leave by another way from the next dispatch on, unless its
	 * domain chooses one itself.
	 * @param transport relay or mx; null for the platform's
	 * @return empty where there is no such account
	 */
	public Mono<TransportChoice> take(Scope scope, @Nullable String transport) {
		return this.transactions.in(scope, this.store.take(scope, transport));
	}

	/** Makes the platform's own account where it is missing. */
	public Mono<Void> ensurePlatform() {
		NewAccount platform = new NewAccount(Account.PLATFORM, PLATFORM_ADDRESS, PLATFORM_ADDRESS, "Mailroom", null,
				this.clock.instant(), "unlimited", "platform", this.clock.instant());
		return planKnown().then(this.transactions.in(Scope.of(Account.PLATFORM), this.store.add(platform))).then();
	}

	/**
	 * Makes the operator's account. One that stands already as a tenant's becomes the
	 * operator's, with this password: whoever registered it first shall not be promoted.
	 * @return whether anything had to be done
	 */
	public Mono<Boolean> ensureOperator(String email, String password) {
		return Mono.fromCallable(() -> Applicant.of(email, Secret.of(password), "Operator"))
			.flatMap((it) -> this.store.byEmail(it.email())
				.map(Optional::of)
				.defaultIfEmpty(Optional.empty())
				.flatMap((holder) -> holder.map((found) -> promote(found, it)).orElseGet(() -> hire(it))));
	}

	private Mono<Boolean> promote(StoredCredentials holder, Applicant operator) {
		if (holder.role().equals("operator")) {
			return Mono.just(false);
		}
		log.warn("The account {} becomes the operator's; its password is replaced and its sessions end",
				holder.accountId());
		Scope scope = Scope.of(holder.accountId());
		return this.passwords.hash(operator.password())
			.flatMap((hash) -> this.transactions.in(scope,
					this.keeper.replace(scope, hash)
						.then(this.store.verify(scope))
						.then(this.store.promote(scope))
						.thenReturn(true)));
	}

	private Mono<Boolean> hire(Applicant operator) {
		return this.passwords.hash(operator.password()).flatMap((hash) -> {
			EmailAddress email = operator.email();
			NewAccount account = NewAccount
				.tenant(this.ids.generate(), email, operator.name(), hash, this.settings.defaultPlan(),
						this.clock.instant())
				.verified()
				.operator();
			return this.transactions.in(Scope.of(account.accountId()), this.store.add(account));
		});
	}

	private Mono<Void> planKnown() {
		String plan = this.settings.defaultPlan();
		return this.store.planExists(plan)
			.filter((known) -> known)
			.switchIfEmpty(Mono.error(() -> new IllegalStateException("MAILROOM_DEFAULT_PLAN names no plan: " + plan)))
			.then();
	}

}
