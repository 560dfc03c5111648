package dev.mailroom.account;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Reads and changes accounts, and creates the platform's and the operator's. */
@Service
public class Accounts {

	private static final Logger log = LoggerFactory.getLogger(Accounts.class);

	/** Cannot be registered, because it has no top-level domain. */
	private static final String PLATFORM_ADDRESS = "platform@localhost";

	private final AccountStore store;

	private final PasswordVerifier verifier;

	private final AddressProof proof;

	private final Passwords passwords;

	private final SecondFactors secondFactors;

	private final Transactions transactions;

	private final Audits audits;

	private final AccountSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	Accounts(AccountStore store, PasswordVerifier verifier, AddressProof proof, Passwords passwords,
			SecondFactors secondFactors, Transactions transactions, Audits audits, AccountSettings settings,
			NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.verifier = verifier;
		this.proof = proof;
		this.passwords = passwords;
		this.secondFactors = secondFactors;
		this.transactions = transactions;
		this.audits = audits;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Changes the plan of an account; false if there is no such account. Joins the
	 * caller's transaction.
	 */
	public Mono<Boolean> setPlan(Scope scope, String plan) {
		return this.store.setPlan(scope, plan);
	}

	/**
	 * Changes the limits of an account; null for those of its plan or of the platform.
	 * Joins the caller's transaction.
	 * @return false if there is no such account
	 */
	public Mono<Boolean> setLimits(Scope scope, @Nullable Long daily, @Nullable Long monthly,
			@Nullable Integer sendRate) {
		return this.store.setLimits(scope, daily, monthly, sendRate);
	}

	/** Finds an account; empty if it does not exist. */
	public Mono<Account> find(Scope scope) {
		return this.transactions.in(scope, this.store.find(scope));
	}

	/**
	 * Finds the account of an operator; empty if it does not have the role, or not the
	 * second factor that operators need. Both are read from the database, because an
	 * access token may be out of date.
	 */
	public Mono<Account> findOperator(Scope scope) {
		return find(scope).filter(Account::operator)
			.filterWhen((account) -> this.settings.requiresSecondFactor(account)
					? this.secondFactors.isActive(Scope.of(account.id())) : Mono.just(true));
	}

	/**
	 * Finds the person who signed in, with the plan of the account; empty if the account
	 * does not exist.
	 */
	public Mono<Account> person(Scope scope) {
		Mono<Account> person = find(scope.person());
		return (scope.member() == null) ? person : person
			.flatMap((found) -> find(Scope.of(scope.account())).map((account) -> found.withPlan(account.plan())));
	}

	/**
	 * Changes a person's name or password. A new password ends all sessions, including
	 * the caller's.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the current password
	 * is wrong, or {@code Rate limit exceeded} after too many attempts
	 */
	public Mono<Account> update(Scope caller, AccountUpdate update) {
		Scope scope = caller.person();
		Mono<Void> password = Mono.justOrEmpty(update.password())
			.flatMap((change) -> this.verifier.change(scope, change.current(), change.next()));
		Mono<Void> name = Mono.justOrEmpty(update.name())
			.flatMap((newName) -> this.transactions.in(scope, this.store.rename(scope, newName)
				.delayUntil((_) -> this.audits.record(scope, Act.ACCOUNT_RENAMED, "", Map.of("name", newName)))))
			.then();
		return password.then(name).then(person(caller));
	}

	/**
	 * Completes if the password is that of the person who signed in, and counts a
	 * failure.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it is wrong, or
	 * {@code Rate limit exceeded} after too many attempts
	 */
	public Mono<Void> requirePassword(Scope caller, @Nullable Secret password) {
		Scope person = caller.person();
		return Mono.fromCallable(() -> FieldReader.requiredPassword("password", password))
			.flatMap((entered) -> this.transactions.in(person, this.store.credentials(person))
				.flatMap((stored) -> this.verifier.require(stored, entered, AccountRefusals.wrongPassword())));
	}

	/**
	 * Sets the time zone in which the web app shows the times of an account.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Account> setTimeZone(Scope scope, String name) {
		return Mono.defer(() -> {
			if (!FieldReader.isTimeZone(name)) {
				throw Refusal.INVALID_REQUEST.field("timeZone",
						"must be a name of the IANA time zone database, such as Europe/Berlin");
			}
			return this.transactions.in(scope, this.store.setTimeZone(scope, name)
				.delayUntil((_) -> this.audits.record(scope, Act.TIME_ZONE_CHANGED, "", Map.of("time_zone", name))));
		});
	}

	/**
	 * Returns the transport chosen for an account; empty if the account does not exist.
	 */
	public Mono<TransportChoice> transport(Scope scope) {
		return this.transactions.in(scope, this.store.transport(scope));
	}

	/**
	 * Sets the transport of an account's mail from the next dispatch on. A domain's own
	 * choice takes precedence.
	 * @param transport {@code relay} or {@code mx}; null for the platform's
	 * @return empty if the account does not exist
	 */
	public Mono<TransportChoice> chooseTransport(Scope scope, @Nullable String transport) {
		return this.transactions.in(scope, this.store.setTransport(scope, transport));
	}

	/** Creates the platform's account if it is missing. */
	public Mono<Void> ensurePlatform() {
		NewAccount platform = new NewAccount(Account.PLATFORM, PLATFORM_ADDRESS, PLATFORM_ADDRESS, "Mailroom", null,
				this.clock.instant(), "unlimited", "platform", this.clock.instant(), null, NewAccount.UTC);
		return requireDefaultPlan().then(this.transactions.in(Scope.of(Account.PLATFORM), this.store.insert(platform)))
			.then();
	}

	/**
	 * Creates the operator's account. If a tenant has verified the address, the account
	 * becomes the operator's with this password and its sessions end. If the address is
	 * only registered, a new account takes the place of the registered one.
	 * @return whether anything was changed
	 */
	public Mono<Boolean> ensureOperator(String email, String password) {
		return Mono.fromCallable(() -> Applicant.of(email, Secret.of(password), "Operator"))
			.flatMap((operator) -> this.store.findByEmail(operator.email())
				.map(Optional::of)
				.defaultIfEmpty(Optional.empty())
				.flatMap((stored) -> stored.map((account) -> promote(account, operator))
					.orElseGet(() -> createOperator(operator))));
	}

	private Mono<Boolean> promote(StoredCredentials stored, Applicant operator) {
		if (stored.role().equals("operator")) {
			return Mono.just(false);
		}
		log.warn("Account {} becomes the operator's: its password is replaced and its sessions end",
				stored.accountId());
		Scope scope = Scope.of(stored.accountId());
		UUID owner = this.ids.generate();
		return this.passwords.hash(operator.password())
			.flatMap((hash) -> this.transactions.of(List.of(stored.accountId(), owner),
					this.proof.replace(scope, owner, hash)
						.switchIfEmpty(Mono.defer(() -> this.proof.setPassword(scope, hash)
							.then(this.secondFactors.discard(scope))
							.then(this.proof.verify(scope))))
						.flatMap((account) -> this.store.makeOperator(Scope.of(account.id())))
						.thenReturn(true)));
	}

	private Mono<Boolean> createOperator(Applicant operator) {
		return this.passwords.hash(operator.password()).flatMap((hash) -> {
			EmailAddress email = operator.email();
			NewAccount account = NewAccount
				.tenant(this.ids.generate(), email, operator.name(), hash, this.settings.defaultPlan(),
						this.clock.instant())
				.verified()
				.operator();
			return this.transactions.in(Scope.of(account.accountId()), this.store.insert(account));
		});
	}

	private Mono<Void> requireDefaultPlan() {
		String plan = this.settings.defaultPlan();
		return this.store.planExists(plan)
			.filter((exists) -> exists)
			.switchIfEmpty(
					Mono.error(() -> new IllegalStateException("MAILROOM_DEFAULT_PLAN names an unknown plan: " + plan)))
			.then();
	}

	/**
	 * The transport chosen for an account's mail.
	 *
	 * @param transport {@code relay} or {@code mx}; null for the platform's
	 */
	public record TransportChoice(UUID account, @Nullable String transport) {
	}

}
