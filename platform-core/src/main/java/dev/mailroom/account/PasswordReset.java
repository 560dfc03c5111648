package dev.mailroom.account;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** How somebody who forgot their password comes back in. */
@Service
public class PasswordReset {

	private final AccountStore store;

	private final OneTimeTokens tokens;

	private final Passwords passwords;

	private final PasswordVerifier keeper;

	private final Throttle throttle;

	PasswordReset(AccountStore store, OneTimeTokens tokens, Passwords passwords, PasswordVerifier keeper,
			Throttle throttle) {
		this.store = store;
		this.tokens = tokens;
		this.passwords = passwords;
		this.keeper = keeper;
		this.throttle = throttle;
	}

	/** The mail that is owed for a forgotten password; empty where none is. */
	public Mono<AccountNotice> forgot(EmailAddress address) {
		return this.store.byEmail(address)
			.filterWhen((_) -> this.throttle.mayWrite(address))
			.flatMap((holder) -> this.tokens.issue(holder.accountId(), Purpose.RESET_PASSWORD)
				.map((token) -> new AccountNotice.ResetPassword(holder.email(), token)));
	}

	/**
	 * Sets the password, ends every session, and takes the address for verified: the link
	 * was read there.
	 */
	public Mono<Void> reset(PasswordResetRequest redemption) {
		Secret token = redemption.token();
		return this.tokens.check(token, Purpose.RESET_PASSWORD)
			.then(this.passwords.hash(redemption.password()))
			.flatMap((hash) -> this.tokens.redeem(token, Purpose.RESET_PASSWORD, (scope) -> replace(scope, hash)))
			.flatMap((account) -> Mono.justOrEmpty(EmailAddress.parse(account.email())))
			.flatMap(this.throttle::forget);
	}

	private Mono<Account> replace(Scope scope, String hash) {
		return this.keeper.replace(scope, hash).then(this.store.verify(scope));
	}

}
