package dev.mailroom.account;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.account.OneTimeTokens.Purpose;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Verifies addresses with the links mailed to them. A link proves control of the address,
 * not the identity of the person who registered: a stranger may have registered it and
 * set the password. In a browser the account therefore stays only if the link is opened
 * in a session of it or together with its password; otherwise the request must set a new
 * password, which is that of a new account in its place.
 */
@Service
public class AddressVerification {

	private final AccountStore store;

	private final OneTimeTokens tokens;

	private final Passwords passwords;

	private final PasswordVerifier verifier;

	private final AddressProof proof;

	private final Transactions transactions;

	private final Directory directory;

	private final NoArgGenerator ids;

	AddressVerification(AccountStore store, OneTimeTokens tokens, Passwords passwords, PasswordVerifier verifier,
			AddressProof proof, Transactions transactions, Directory directory, NoArgGenerator ids) {
		this.directory = directory;
		this.store = store;
		this.tokens = tokens;
		this.passwords = passwords;
		this.verifier = verifier;
		this.proof = proof;
		this.transactions = transactions;
		this.ids = ids;
	}

	/**
	 * Verifies an address for a program that registered it and reads its mailbox. The
	 * account stays unless the request has a new password and not the present one.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the token is not valid
	 * or the password is wrong, {@code Misdirected} if another cell has the address, or
	 * {@code Service unavailable} without the directory of cells
	 */
	public Mono<Account> verify(Request request) {
		return verify(request, (_) -> true, (_) -> false);
	}

	/**
	 * Verifies an address for a person who opened the link in a browser.
	 * @param caller the account of the browser's session; null without a session
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the token is not
	 * valid, the password is wrong, or a password is required
	 */
	public Mono<Account> verifyInBrowser(Request request, @Nullable Scope caller) {
		Predicate<StoredCredentials> registrant = (stored) -> caller != null
				&& caller.account().equals(stored.accountId());
		return verify(request, registrant.or((stored) -> stored.verified() || stored.passwordHash() == null),
				registrant);
	}

	/**
	 * Verifies an address.
	 * @param keeps whether the account stays if the request has no password
	 * @param registrant whether it stays if the request has a new password only
	 */
	private Mono<Account> verify(Request request, Predicate<StoredCredentials> keeps,
			Predicate<StoredCredentials> registrant) {
		return this.tokens.check(request.token(), Purpose.VERIFY_EMAIL)
			.flatMap((scope) -> this.transactions.in(scope, this.store.credentials(scope)))
			.flatMap((stored) -> {
				Secret password = request.password();
				Secret next = request.newPassword();
				Mono<Void> checked = (password != null)
						? this.verifier.require(stored, password, AccountRefusals.wrongPassword()) : Mono.empty();
				Mono<Void> unchanged = (password != null) ? requireUnchanged(stored) : Mono.empty();
				if (next != null) {
					UUID owner = (password != null || registrant.test(stored)) ? stored.accountId()
							: this.ids.generate();
					return checked.then(claim(stored, owner))
						.then(this.passwords.hash(next))
						.flatMap((hash) -> redeem(request, owner,
								(scope) -> unchanged.then(setPassword(scope, owner, hash))));
				}
				return (password != null || keeps.test(stored))
						? checked.then(claim(stored, stored.accountId()))
							.then(redeem(request, stored.accountId(),
									(scope) -> unchanged.then(this.proof.verify(scope))))
						: Mono.error(AccountRefusals.passwordRequired());
			});
	}

	/** Claims an address outside of a transaction: the directory may be slow. */
	private Mono<Void> claim(StoredCredentials stored, UUID owner) {
		return stored.verified() ? Mono.empty() : Mono.justOrEmpty(EmailAddress.parse(stored.email()))
			.flatMap((address) -> this.directory.claim(owner, address));
	}

	private Mono<Account> redeem(Request request, UUID owner, Function<Scope, Mono<Account>> work) {
		return this.tokens.redeem(request.token(), Purpose.VERIFY_EMAIL, owner, work);
	}

	private Mono<Account> setPassword(Scope scope, UUID owner, String hash) {
		Mono<Account> replaced = owner.equals(scope.account()) ? Mono.empty() : this.proof.replace(scope, owner, hash);
		return replaced
			.switchIfEmpty(Mono.defer(() -> this.proof.setPassword(scope, hash).then(this.proof.verify(scope))));
	}

	/** The password may have been replaced since it was compared. */
	private Mono<Void> requireUnchanged(StoredCredentials stored) {
		return Mono.justOrEmpty(stored.passwordHash())
			.flatMap((hash) -> this.store.lockWithPassword(Scope.of(stored.accountId()), hash))
			.switchIfEmpty(Mono.error(AccountRefusals::wrongPassword))
			.then();
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
