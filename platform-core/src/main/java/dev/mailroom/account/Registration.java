package dev.mailroom.account;

import java.time.Clock;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.throttle.Throttle;
import dev.mailroom.token.OneTimeTokens.Purpose;
import dev.mailroom.token.OneTimeTokens;
import dev.mailroom.token.Secret;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Registers accounts. The results do not reveal whether an address has an account. */
@Service
public class Registration {

	private final AccountStore store;

	private final OneTimeTokens tokens;

	private final Passwords passwords;

	private final Throttle throttle;

	private final Transactions transactions;

	private final AccountSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	Registration(AccountStore store, OneTimeTokens tokens, Passwords passwords, Throttle throttle,
			Transactions transactions, AccountSettings settings, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.tokens = tokens;
		this.passwords = passwords;
		this.throttle = throttle;
		this.transactions = transactions;
		this.settings = settings;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Registers an account. If the address has one, the result looks the same and the
	 * owner of the address is sent another mail.
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} after too many from the
	 * client's network
	 */
	public Mono<Result> register(Applicant applicant) {
		return this.throttle.countRegistration().then(this.passwords.hash(applicant.password())).flatMap((hash) -> {
			NewAccount account = NewAccount.tenant(this.ids.generate(), applicant.email(), applicant.name(), hash,
					this.settings.defaultPlan(), this.clock.instant());
			return this.transactions.in(Scope.of(account.accountId()), this.store.insert(account))
				.flatMap((inserted) -> this.throttle.countMail(applicant.email())
					.flatMap((permitted) -> inserted ? verification(account.accountId(), applicant.email().toString())
							: alreadyRegistered(applicant.email(), permitted)))
				.map((notice) -> new Result(account.account(), notice))
				.defaultIfEmpty(new Result(account.account(), null));
		});
	}

	/**
	 * Returns another mail with a verification link; empty if the address has no account,
	 * is verified or was sent too many mails.
	 */
	public Mono<AccountNotice> resend(EmailAddress address) {
		return this.throttle.countMail(address)
			.filter(Boolean::booleanValue)
			.flatMap((_) -> this.store.findByEmail(address))
			.filter((account) -> !account.verified())
			.flatMap((account) -> verification(account.accountId(), account.email()));
	}

	private Mono<AccountNotice> verification(UUID account, String to) {
		return this.tokens.issue(account, Purpose.VERIFY_EMAIL)
			.map((token) -> new AccountNotice.VerifyAddress(to, token));
	}

	/** The recipient is the stored spelling of the address, not the applicant's. */
	private Mono<AccountNotice> alreadyRegistered(EmailAddress address, boolean permitted) {
		return this.store.findByEmail(address)
			.filter((_) -> permitted)
			.map((account) -> new AccountNotice.AlreadyRegistered(account.email()));
	}

	/**
	 * Result of a registration, which has the same form whether or not the address had an
	 * account before.
	 *
	 * @param account the account to show to the applicant
	 * @param notice the mail to send to the address; null if it was sent too many
	 */
	public record Result(Account account, @Nullable AccountNotice notice) {
	}

}
