package dev.mailroom.account;

import java.util.List;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Sets up and removes the second factor of a person who is signed in. */
@Service
public class SecondFactorSetup {

	private final AccountStore store;

	private final SecondFactors factors;

	private final Sessions sessions;

	private final PasswordVerifier verifier;

	private final Throttle throttle;

	private final Transactions transactions;

	private final AccountSettings settings;

	SecondFactorSetup(AccountStore store, SecondFactors factors, Sessions sessions, PasswordVerifier verifier,
			Throttle throttle, Transactions transactions, AccountSettings settings) {
		this.store = store;
		this.factors = factors;
		this.sessions = sessions;
		this.verifier = verifier;
		this.throttle = throttle;
		this.transactions = transactions;
		this.settings = settings;
	}

	/**
	 * Generates a secret for an authenticator app. Signing in requires it after
	 * {@link #confirm}, so a stolen access token must not be enough: the person has
	 * signed in a few minutes ago, or repeats the password.
	 * @param password null if it is not repeated
	 * @throws dev.mailroom.Refused {@code Second factor active}, or
	 * {@code Invalid request
	 * data} if the password is required or wrong
	 */
	public Mono<SecondFactors.Enrolment> begin(Caller caller, @Nullable Secret password) {
		Scope person = caller.scope().person();
		return requireIdentity(person, caller.session(), password)
			.then(Mono.defer(() -> this.transactions.in(person, this.store.find(person))))
			.flatMap((account) -> this.factors.begin(person, account.email()));
	}

	private Mono<Void> requireIdentity(Scope person, @Nullable UUID session, @Nullable Secret password) {
		if (password != null) {
			return requirePassword(person, password);
		}
		return Mono.justOrEmpty(session)
			.flatMap((id) -> this.sessions.isFresh(person, id))
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(AccountRefusals::passwordOfOldSession))
			.then();
	}

	private Mono<Void> requirePassword(Scope person, Secret password) {
		return this.transactions.in(person, this.store.credentials(person))
			.flatMap((stored) -> this.verifier.require(stored, password, AccountRefusals.wrongPassword()));
	}

	/**
	 * Confirms the secret with a code of the app.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the code is wrong
	 */
	public Mono<Confirmed> confirm(Scope person, @Nullable Secret code) {
		return Mono.fromCallable(() -> FieldReader.requiredToken("code", code))
			.flatMap((entered) -> this.factors.confirm(person, entered))
			.flatMap((codes) -> notice(person).map((notice) -> new Confirmed(codes, notice))
				.defaultIfEmpty(new Confirmed(codes, null)));
	}

	/** Empty if the address was sent too many mails, or if there is none. */
	private Mono<AccountNotice> notice(Scope person) {
		return this.transactions.in(person, this.store.find(person))
			.flatMap((account) -> Mono.justOrEmpty(EmailAddress.parse(account.email())))
			.filterWhen(this.throttle::countMail)
			.map((address) -> new AccountNotice.SecondFactorAdded(address.toString()));
	}

	/**
	 * Removes the second factor.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the password is wrong,
	 * {@code Forbidden} for an operator who needs one, {@code Second factor not found}
	 */
	public Mono<Void> remove(Scope person, @Nullable Secret password) {
		return Mono.fromCallable(() -> FieldReader.requiredPassword("password", password))
			.flatMap((entered) -> requirePassword(person, entered)
				.then(this.transactions.in(person, this.store.find(person)))
				.flatMap((account) -> this.settings.requiresSecondFactor(account)
						? Mono.error(AccountRefusals.secondFactorNeeded()) : this.factors.remove(person)));
	}

	/** The state of the second factor. */
	public Mono<SecondFactors.Status> status(Scope person) {
		return this.factors.status(person);
	}

	/**
	 * A second factor that signing in requires from now on.
	 *
	 * @param recoveryCodes codes that are not readable later
	 * @param notice the mail to send; null if the address was sent too many
	 */
	public record Confirmed(List<String> recoveryCodes, @Nullable AccountNotice notice) {

		/** Without the codes, for logs. */
		@Override
		public String toString() {
			return "Confirmed";
		}

	}

}
