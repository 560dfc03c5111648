package dev.mailroom.account;

import java.time.Clock;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.account.OneTimeTokens.Purpose;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;

/** Registers accounts. The results do not reveal whether an address has an account. */
@Service
public class Registration {

	private final AccountStore store;

	private final OneTimeTokens tokens;

	private final Passwords passwords;

	private final Throttle throttle;

	private final Transactions transactions;

	private final Directory directory;

	private final AccountSettings settings;

	private final NoArgGenerator ids;

	private final Clock clock;

	Registration(AccountStore store, OneTimeTokens tokens, Passwords passwords, Throttle throttle,
			Transactions transactions, Directory directory, AccountSettings settings, NoArgGenerator ids, Clock clock) {
		this.directory = directory;
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
	 * Registers an account. If the address has one, the result looks the same, so does a
	 * sign-in, and the owner of the address is sent another mail: a second registration
	 * is an account of its own which is never verified. So is the registration of an
	 * address that another cell has.
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} after too many from the
	 * client's network or of the address, or {@code Service unavailable} without the
	 * directory of cells
	 */
	public Mono<Result> register(Applicant applicant) {
		EmailAddress address = applicant.email();
		return this.throttle.countRegistration()
			.then(this.throttle.countPassword(address))
			.then(Mono.defer(() -> this.directory.otherCellNow(address)))
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((other) -> insert(applicant)
				// The account that has the address was deleted between the look-up and
				// the insert.
				.retryWhen(Retry.max(1).filter(DataIntegrityViolationException.class::isInstance))
				.flatMap((account) -> notice(account, address, other.orElse(null))
					.map((notice) -> new Result(account.account(), notice))
					.defaultIfEmpty(new Result(account.account(), null))));
	}

	private Mono<AccountNotice> notice(NewAccount account, EmailAddress address, Directory.@Nullable Home other) {
		return this.throttle.countMail(address).flatMap((permitted) -> {
			if (other == null && account.secondOf() == null) {
				return verification(account.accountId(), address.toString());
			}
			Mono<AccountNotice> notice = (other != null) ? inOtherCell(address, other) : alreadyRegistered(address);
			return notice.filter((_) -> permitted);
		});
	}

	private static Mono<AccountNotice> inOtherCell(EmailAddress address, Directory.Home other) {
		return Mono.just(new AccountNotice.InOtherCell(address.toString(), other.url()));
	}

	/** Repeats the look-up if the address was registered meanwhile. */
	private Mono<NewAccount> insert(Applicant applicant) {
		return this.store.findByEmail(applicant.email())
			.map(StoredCredentials::accountId)
			.flatMap((first) -> this.passwords.hash(applicant.password(), first)
				.map((hash) -> newAccount(applicant, hash).secondOf(first)))
			.switchIfEmpty(Mono
				.defer(() -> this.passwords.hash(applicant.password()).map((hash) -> newAccount(applicant, hash))))
			.filterWhen((account) -> this.transactions.in(Scope.of(account.accountId()), this.store.insert(account)))
			.switchIfEmpty(Mono.defer(() -> insert(applicant)));
	}

	private NewAccount newAccount(Applicant applicant, String hash) {
		return NewAccount
			.tenant(this.ids.generate(), applicant.email(), applicant.name(), hash, this.settings.defaultPlan(),
					this.clock.instant())
			.in(applicant.timeZone());
	}

	/**
	 * Returns another mail with a verification link, or, after a second registration of a
	 * verified address, that it has an account, perhaps in another cell; empty if nothing
	 * is to be verified or the address was sent too many mails.
	 */
	public Mono<AccountNotice> resend(EmailAddress address) {
		return this.throttle.countMail(address)
			.filter(Boolean::booleanValue)
			.flatMap((_) -> this.store.findByEmail(address))
			.flatMap((account) -> account.verified()
					? this.store.findSecond(account.accountId(), null)
						.map((_) -> new AccountNotice.AlreadyRegistered(account.email()))
					: this.directory.otherCell(address)
						.flatMap((other) -> inOtherCell(address, other))
						.switchIfEmpty(Mono.defer(() -> verification(account.accountId(), account.email()))));
	}

	private Mono<AccountNotice> verification(UUID account, String to) {
		return this.tokens.issue(account, Purpose.VERIFY_EMAIL)
			.map((token) -> new AccountNotice.VerifyAddress(to, token));
	}

	/** The recipient is the stored spelling of the address, not the applicant's. */
	private Mono<AccountNotice> alreadyRegistered(EmailAddress address) {
		return this.store.findByEmail(address).map((account) -> new AccountNotice.AlreadyRegistered(account.email()));
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
