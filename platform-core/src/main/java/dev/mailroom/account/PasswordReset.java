package dev.mailroom.account;

import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.account.OneTimeTokens.Purpose;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Replaces forgotten passwords by means of a link in a mail. */
@Service
public class PasswordReset {

	private final AccountStore store;

	private final OneTimeTokens tokens;

	private final Passwords passwords;

	private final AddressProof proof;

	private final Throttle throttle;

	private final Transactions transactions;

	private final Directory directory;

	private final NoArgGenerator ids;

	PasswordReset(AccountStore store, OneTimeTokens tokens, Passwords passwords, AddressProof proof, Throttle throttle,
			Transactions transactions, Directory directory, NoArgGenerator ids) {
		this.transactions = transactions;
		this.directory = directory;
		this.store = store;
		this.tokens = tokens;
		this.passwords = passwords;
		this.proof = proof;
		this.throttle = throttle;
		this.ids = ids;
	}

	/**
	 * Returns the mail with the link, or the place of the account if another cell has it;
	 * empty if the address has no account or was sent too many mails.
	 */
	public Mono<AccountNotice> forgot(EmailAddress address) {
		return this.throttle.countMail(address)
			.filter(Boolean::booleanValue)
			.flatMap((_) -> this.directory.otherCell(address)
				.<AccountNotice>map((home) -> new AccountNotice.InOtherCell(address.toString(), home.url()))
				.switchIfEmpty(Mono.defer(() -> link(address))));
	}

	private Mono<AccountNotice> link(EmailAddress address) {
		return this.store.findByEmail(address)
			.flatMap((account) -> this.tokens.issue(account.accountId(), Purpose.RESET_PASSWORD)
				.map((token) -> new AccountNotice.ResetPassword(account.email(), token)));
	}

	/**
	 * Sets the password and ends all sessions. If the address was not verified, a
	 * stranger may have registered it: then the password is that of a new, verified
	 * account in its place.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if the token is not
	 * valid, {@code Misdirected} if another cell has the address, or
	 * {@code Service unavailable} without the directory of cells
	 */
	public Mono<Void> reset(Request request) {
		Secret token = request.token();
		UUID owner = this.ids.generate();
		return this.tokens.check(token, Purpose.RESET_PASSWORD)
			.flatMap((scope) -> claim(scope, owner))
			.then(this.passwords.hash(request.password()))
			.flatMap((hash) -> this.tokens.redeem(token, Purpose.RESET_PASSWORD, owner,
					(scope) -> this.proof.replace(scope, owner, hash)
						.switchIfEmpty(Mono.defer(() -> replace(scope, hash)))))
			.flatMap((account) -> Mono.justOrEmpty(EmailAddress.parse(account.email())))
			.flatMap(this.throttle::clearFailures);
	}

	/** Claims the address of an account that replaces an unverified one. */
	private Mono<Void> claim(Scope scope, UUID owner) {
		return this.directory.isUsed() ? this.transactions.in(scope, this.store.credentials(scope))
			.filter((stored) -> !stored.verified())
			.flatMap((stored) -> Mono.justOrEmpty(EmailAddress.parse(stored.email())))
			.flatMap((address) -> this.directory.claim(owner, address)) : Mono.empty();
	}

	private Mono<Account> replace(Scope scope, String hash) {
		return this.proof.setPassword(scope, hash).then(this.proof.verify(scope));
	}

	/**
	 * A new password with the token of the link that permits it.
	 */
	public record Request(Secret token, Secret password) {

		/**
		 * Validates the fields of a request.
		 * @throws dev.mailroom.Refused with all invalid fields
		 */
		public static Request of(@Nullable Secret token, @Nullable Secret password) {
			FieldReader fields = new FieldReader();
			Optional<Secret> link = fields.token("token", token);
			Optional<Secret> secret = fields.newPassword(password);
			fields.requireValid();
			return new Request(link.orElseThrow(), secret.orElseThrow());
		}

	}

}
