package dev.mailroom.account;

import java.time.Clock;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * How an account comes to be, and how its owner shows that its address is theirs. Nothing
 * here tells whether an address has an account.
 */
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
	 * Registers an applicant. Where the address has an account, the same is shown, and
	 * the owner is written to instead.
	 */
	public Mono<Registered> register(Applicant applicant) {
		return this.passwords.hash(applicant.password()).flatMap((hash) -> {
			NewAccount account = NewAccount.tenant(this.ids.generate(), applicant.email(), applicant.name(), hash,
					this.settings.defaultPlan(), this.clock.instant());
			return this.transactions.in(Scope.of(account.accountId()), this.store.add(account))
				.flatMap((added) -> added ? verification(account.accountId(), applicant.email().toString())
						: taken(applicant.email()))
				.map((letter) -> new Registered(account.account(), letter))
				.defaultIfEmpty(new Registered(account.account(), null));
		});
	}

	/** Another mail for an address not yet verified; empty where none is owed. */
	public Mono<AccountNotice> resend(EmailAddress address) {
		return this.store.byEmail(address)
			.filter((holder) -> !holder.verified())
			.filterWhen((_) -> this.throttle.mayWrite(address))
			.flatMap((holder) -> verification(holder.accountId(), holder.email()));
	}

	/** Verifies the address of the account whose link this token is from. */
	public Mono<Account> verify(Secret token) {
		return this.tokens.redeem(token, Purpose.VERIFY_EMAIL, this.store::verify);
	}

	private Mono<AccountNotice> verification(UUID account, String to) {
		return this.tokens.issue(account, Purpose.VERIFY_EMAIL)
			.map((token) -> new AccountNotice.VerifyAddress(to, token));
	}

	/** To the address as its owner spelt it, not as somebody typed it just now. */
	private Mono<AccountNotice> taken(EmailAddress address) {
		return this.store.byEmail(address)
			.filterWhen((_) -> this.throttle.mayWrite(address))
			.map((holder) -> new AccountNotice.AlreadyRegistered(holder.email()));
	}

}
