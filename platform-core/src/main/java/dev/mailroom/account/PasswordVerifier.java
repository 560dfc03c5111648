package dev.mailroom.account;

import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Verifies passwords, limited by the throttle, and changes them. */
@Component
class PasswordVerifier {

	/** In place of the account of an unknown address. */
	private static final UUID NO_ACCOUNT = new UUID(0, 0);

	private final AccountStore accounts;

	private final Passwords passwords;

	private final Throttle throttle;

	private final AddressProof proof;

	private final Transactions transactions;

	private final Directory directory;

	PasswordVerifier(AccountStore accounts, Passwords passwords, Throttle throttle, AddressProof proof,
			Transactions transactions, Directory directory) {
		this.directory = directory;
		this.accounts = accounts;
		this.passwords = passwords;
		this.throttle = throttle;
		this.proof = proof;
		this.transactions = transactions;
	}

	/**
	 * Verifies a password.
	 * @param hash null for an account without a password and for an unknown address: the
	 * result is false, after the same work
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} after too many failures,
	 * also for the right password
	 */
	Mono<Boolean> matches(EmailAddress address, Secret password, @Nullable String hash) {
		return this.throttle.requireFewFailures(address)
			.then(this.passwords.matches(password, hash))
			.flatMap((matches) -> matches ? this.throttle.requireFewFailures(address).thenReturn(true)
					: Mono.just(false));
	}

	/**
	 * Finds the account of an address that has a password: the first one, or else a
	 * second registration. The work is the same whatever exists.
	 * @param first the account that has the address; null if there is none
	 * @return empty if the password is wrong
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} after too many failures,
	 * also for the right password
	 */
	Mono<StoredCredentials> identify(EmailAddress address, Secret password, @Nullable StoredCredentials first) {
		UUID id = (first != null) ? first.accountId() : NO_ACCOUNT;
		return this.throttle.requireFewFailures(address)
			.then(this.passwords.compare(password, (first != null) ? first.passwordHash() : null, id))
			.flatMap((compared) -> this.accounts.findSecond(id, compared.hash())
				.filter((_) -> !compared.matches())
				.switchIfEmpty(Mono.justOrEmpty(compared.matches() ? first : null)))
			.delayUntil((_) -> this.throttle.requireFewFailures(address));
	}

	/** Records the network of an owner. */
	Mono<Void> succeeded(EmailAddress address) {
		return this.throttle.succeeded(address);
	}

	/**
	 * Counts a sign-in with a wrong address or password. Only another cell can compare
	 * the password of an address that it has, so whether it has one is limited like
	 * passwords.
	 * @return the error {@code Unauthorized}, {@code Rate limit exceeded}, or {@code
	 * Misdirected} if another cell has the address
	 */
	<T> Mono<T> failed(EmailAddress address) {
		return this.directory.otherCell(address)
			.map(Directory::misdirected)
			.defaultIfEmpty(AccountRefusals.wrongCredentials())
			.flatMap((refused) -> this.throttle.countFailure(address, refused));
	}

	/**
	 * The refusal of a person whose account was moved, with the URL of its cell if the
	 * directory knows it.
	 */
	<T> Mono<T> moved(EmailAddress address, Throwable refused) {
		return this.directory.otherCell(address)
			.<Throwable>map(Directory::misdirected)
			.defaultIfEmpty(refused)
			.flatMap(Mono::error);
	}

	/**
	 * Sets another password if the current one is right, and ends all sessions. The
	 * passwords of accounts that are not verified are limited by their address: each is
	 * compared at the next sign-in with that of another account, which may have it.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if it is wrong, {@code
	 * Rate limit exceeded} after too many failures or passwords
	 */
	Mono<Void> change(Scope scope, Secret current, Secret next) {
		return this.transactions.in(scope, this.accounts.credentials(scope))
			.flatMap((stored) -> require(stored, current, AccountRefusals.wrongCurrentPassword())
				.then(stored.verified() ? Mono.empty() : countPassword(stored))
				.then(Mono.defer(() -> hash(stored, next)))
				.flatMap((hash) -> this.transactions.in(scope, this.proof.setPassword(scope, hash)
					.then(stored.verified() ? this.proof.closeOthers(scope) : Mono.empty()))));
	}

	private Mono<Void> countPassword(StoredCredentials stored) {
		return Mono.justOrEmpty(EmailAddress.parse(stored.email())).flatMap(this.throttle::countPassword);
	}

	private Mono<String> hash(StoredCredentials stored, Secret password) {
		UUID first = stored.secondOf();
		return (first != null) ? this.passwords.hash(password, first) : this.passwords.hash(password);
	}

	/**
	 * Verifies the password of an account, and counts a failure.
	 * @param wrong the error if it is wrong
	 */
	Mono<Void> require(StoredCredentials stored, Secret password, Refused wrong) {
		return Mono.justOrEmpty(EmailAddress.parse(stored.email()))
			.switchIfEmpty(Mono.error(wrong))
			.flatMap((address) -> matches(address, password, stored.passwordHash())
				.flatMap((matches) -> matches ? Mono.empty() : this.throttle.countFailure(address, wrong)));
	}

}
