package dev.mailroom.account;

import java.util.Optional;

import dev.mailroom.Scope;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.account.OneTimeTokens.Purpose;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Verifies addresses with the links mailed to them. A link proves control of the address,
 * not the identity of the person who registered: a stranger may have registered it and
 * set the password. In a browser the password therefore stays valid only if the link is
 * opened in a session of the account or together with the password; otherwise the request
 * must set a new one, which ends all sessions.
 */
@Service
public class AddressVerification {

	private final AccountStore store;

	private final OneTimeTokens tokens;

	private final Passwords passwords;

	private final PasswordVerifier verifier;

	private final SecondFactors secondFactors;

	private final Transactions transactions;

	AddressVerification(AccountStore store, OneTimeTokens tokens, Passwords passwords, PasswordVerifier verifier,
			SecondFactors secondFactors, Transactions transactions) {
		this.store = store;
		this.tokens = tokens;
		this.passwords = passwords;
		this.verifier = verifier;
		this.secondFactors = secondFactors;
		this.transactions = transactions;
	}

	/**
	 * Verifies an address for a program that registered it and reads its mailbox. The
	 * password stays valid unless the request has a new one.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the token is not valid
	 * or the password is wrong
	 */
	public Mono<Account> verify(Request request) {
		return verify(request, (_) -> true);
	}

	/**
	 * Verifies an address for a person who opened the link in a browser.
	 * @param caller the account of the browser's session; null without a session
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the token is not
	 * valid, the password is wrong, or a password is required
	 */
	public Mono<Account> verifyInBrowser(Request request, @Nullable Scope caller) {
		return verify(request, (stored) -> stored.verified() || stored.passwordHash() == null
				|| (caller != null && caller.account().equals(stored.accountId())));
	}

	private Mono<Account> verify(Request request, KeepsPassword keeps) {
		return this.tokens.check(request.token(), Purpose.VERIFY_EMAIL)
			.flatMap((scope) -> this.transactions.in(scope, this.store.credentials(scope)))
			.flatMap((stored) -> {
				Secret password = request.password();
				Secret next = request.newPassword();
				Mono<Void> checked = (password != null)
						? this.verifier.require(stored, password, AccountRefusals.wrongPassword()) : Mono.empty();
				if (next != null) {
					return checked.then(this.passwords.hash(next))
						.flatMap((hash) -> redeem(request, (scope) -> replace(scope, hash)));
				}
				if (password != null) {
					return checked.then(redeem(request, (scope) -> requireUnchanged(scope, stored)));
				}
				return keeps.test(stored) ? redeem(request, (_) -> Mono.empty())
						: Mono.error(AccountRefusals.passwordRequired());
			});
	}

	private Mono<Account> redeem(Request request, Preparation preparation) {
		return this.tokens.redeem(request.token(), Purpose.VERIFY_EMAIL,
				(scope) -> preparation.prepare(scope).then(this.verifier.verify(scope)));
	}

	/** The second factor may also have been set up by the person who registered. */
	private Mono<Void> replace(Scope scope, String hash) {
		return this.verifier.replace(scope, hash).then(this.secondFactors.discard(scope));
	}

	/** The password may have been replaced since it was compared. */
	private Mono<Void> requireUnchanged(Scope scope, StoredCredentials stored) {
		return Mono.justOrEmpty(stored.passwordHash())
			.flatMap((hash) -> this.store.lockWithPassword(scope, hash))
			.switchIfEmpty(Mono.error(AccountRefusals::wrongPassword))
			.then();
	}

	/** Decides whether a password stays valid that the request does not repeat. */
	@FunctionalInterface
	private interface KeepsPassword {

		boolean test(StoredCredentials stored);

	}

	/** Work in the transaction of the verification, before it. */
	@FunctionalInterface
	private interface Preparation {

		Mono<Void> prepare(Scope scope);

	}

	/**
	 * The token of a link, with a password.
	 *
	 * @param password the account's password; null if it is not repeated
	 * @param newPassword the password that replaces it; null if it stays
	 */
	public record Request(Secret token, @Nullable Secret password, @Nullable Secret newPassword) {

		/**
		 * Validates the fields of a request.
		 * @throws dev.mailroom.Refused with all invalid fields
		 */
		public static Request of(@Nullable Secret token, @Nullable Secret password, @Nullable Secret newPassword) {
			FieldReader fields = new FieldReader();
			Optional<Secret> link = fields.token("token", token);
			if (password != null) {
				fields.password("password", password);
			}
			if (newPassword != null) {
				fields.newPassword("new_password", newPassword);
			}
			fields.requireValid();
			return new Request(link.orElseThrow(), password, newPassword);
		}

	}

}
