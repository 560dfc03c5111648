package dev.mailroom.account;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Keeps passwords: compares them under the throttle, and replaces them. */
@Component
class PasswordVerifier {

	private final AccountStore accounts;

	private final SessionStore sessions;

	private final Passwords passwords;

	private final Throttle throttle;

	private final Transactions transactions;

	PasswordVerifier(AccountStore accounts, SessionStore sessions, Passwords passwords, Throttle throttle,
			Transactions transactions) {
		this.accounts = accounts;
		this.sessions = sessions;
		this.passwords = passwords;
		this.throttle = throttle;
		this.transactions = transactions;
	}

	/**
	 * Whether the password is right, as far as anybody may know at present: past ten
	 * failures a right one is refused like a wrong one.
	 */
	Mono<Boolean> matches(EmailAddress address, Secret password, @Nullable String hash) {
		return this.throttle.admit(address)
			.then(this.passwords.matches(password, hash))
			.flatMap((right) -> right ? this.throttle.admit(address).thenReturn(true) : Mono.just(false));
	}

	/** Sets another password where the present one is right. */
	Mono<Void> change(Scope scope, Secret current, Secret next) {
		return this.transactions.in(scope, this.accounts.holder(scope)).flatMap((holder) -> {
			EmailAddress address = EmailAddress.parse(holder.email())
				.orElseThrow(AccountRefusals::wrongCurrentPassword);
			return matches(address, current, holder.passwordHash())
				.flatMap((right) -> right ? this.passwords.hash(next)
						: this.throttle.failed(address, AccountRefusals.wrongCurrentPassword()))
				.flatMap((hash) -> this.transactions.in(scope, replace(scope, hash)));
		});
	}

	/** Inside a transaction: sets the password and ends every session of the account. */
	Mono<Void> replace(Scope scope, String hash) {
		return this.accounts.setPassword(scope, hash).then(this.sessions.endAll(scope));
	}

}
