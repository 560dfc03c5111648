package dev.mailroom.account;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.AccessTokens.Grant;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Signs people in and out, and refreshes their tokens. */
@Service
public class SignIn {

	private final AccountStore accounts;

	private final Sessions sessions;

	private final PasswordVerifier verifier;

	private final Challenges challenges;

	private final AccessTokens tokens;

	private final Members members;

	private final AccountSettings settings;

	private final Transactions transactions;

	SignIn(AccountStore accounts, Sessions sessions, PasswordVerifier verifier, Challenges challenges,
			AccessTokens tokens, Members members, AccountSettings settings, Transactions transactions) {
		this.challenges = challenges;
		this.members = members;
		this.settings = settings;
		this.accounts = accounts;
		this.sessions = sessions;
		this.verifier = verifier;
		this.tokens = tokens;
		this.transactions = transactions;
	}

	/**
	 * Signs in with a password.
	 * @throws dev.mailroom.Refused {@code Unauthorized}, the same for an unknown address
	 * and a wrong password, {@code Rate limit exceeded} after too many failures,
	 * {@code Second factor required} with a challenge, or {@code Misdirected} if the
	 * account was moved
	 */
	public Mono<Result> login(Credentials credentials) {
		return this.accounts.findByEmail(credentials.email())
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((first) -> this.verifier.identify(credentials.email(), credentials.password(), first.orElse(null)))
			.flatMap((stored) -> start(stored, credentials.email()))
			.onErrorResume(Cell::isMisdirected, (error) -> this.verifier.moved(credentials.email(), error))
			.switchIfEmpty(Mono.defer(() -> this.verifier.failed(credentials.email())));
	}

	/**
	 * Completes a sign-in with a second factor.
	 * @throws dev.mailroom.Refused {@code Unauthorized} if the code is wrong, {@code
	 * Invalid request data} if the challenge is not valid, or {@code Rate limit exceeded}
	 */
	public Mono<Result> login(SecondStep step) {
		return this.challenges
			.complete(step.challenge(), step.code(), (scope) -> this.accounts.find(scope)
				.flatMap((account) -> this.sessions.start(scope).map((session) -> new SignedIn(account, session))))
			.delayUntil((signedIn) -> Mono.justOrEmpty(EmailAddress.parse(signedIn.account().email()))
				.flatMap((address) -> succeeded(signedIn.account(), address)))
			.flatMap(this::issue);
	}

	/**
	 * Exchanges a refresh token for new tokens. If the token was used before, it may have
	 * been stolen: then its session ends.
	 * @throws dev.mailroom.Refused {@code Unauthorized} if the token is not valid
	 */
	public Mono<Result> refresh(Secret token) {
		return this.sessions.find(token)
			.flatMap(this::refresh)
			.switchIfEmpty(Mono.error(AccountRefusals::invalidRefreshToken));
	}

	/** Ends the session of a refresh token, if there is one. */
	public Mono<Void> logout(Secret token) {
		return this.sessions.find(token).flatMap(this.sessions::end);
	}

	/**
	 * The lock on the account ensures that no session starts with a replaced password.
	 */
	private Mono<Result> start(StoredCredentials stored, EmailAddress address) {
		Scope scope = Scope.of(stored.accountId());
		Mono<Mono<Result>> started = Mono.justOrEmpty(stored.passwordHash())
			.flatMap((hash) -> this.accounts.lockWithPassword(scope, hash))
			.doOnNext(SignIn::requireHere)
			.flatMap((account) -> this.challenges.areRequired(scope)
				.flatMap((required) -> required ? this.challenges.issue(scope).map(SignIn::challenged)
						: this.sessions.start(scope)
							.map((session) -> issue(new SignedIn(account, session))
								.delayUntil((_) -> succeeded(account, address)))));
		return this.transactions.in(scope, started)
			.switchIfEmpty(Mono.error(AccountRefusals::wrongCredentials))
			.flatMap(Function.identity());
	}

	/** A person whose account was moved signs in to the other cell. */
	private static void requireHere(Account account) {
		@Nullable Refused refused = MovedAccounts.refusal(account.pausedReason());
		if (refused != null) {
			throw refused;
		}
	}

	/**
	 * Records the network of an owner. Other people can sign in to unverified accounts of
	 * the address.
	 */
	private Mono<Void> succeeded(Account account, EmailAddress address) {
		return account.emailVerified() ? this.verifier.succeeded(address) : Mono.empty();
	}

	/** An error after the transaction, which has stored the challenge. */
	private static Mono<Result> challenged(Secret challenge) {
		return Mono.error(Challenges.required(challenge));
	}

	private Mono<Result> refresh(SignInSession session) {
		Scope scope = Scope.of(session.accountId());
		Mono<SignedIn> refreshed = this.sessions.refresh(session)
			.flatMap((next) -> this.accounts.find(scope).map((account) -> new SignedIn(account, next)));
		return this.transactions.in(scope, refreshed).flatMap(this::issue);
	}

	private Mono<Result> issue(SignedIn signedIn) {
		return withPlan(signedIn.account()).flatMap((account) -> grant(account)
			.flatMap((grant) -> this.tokens.issue(signedIn.session(), grant, account.email())
				.map((access) -> new Result(access, AccessTokens.LIFETIME, signedIn.session().refreshToken(), account,
						grant == Grant.ENROLMENT))));
	}

	/** The plan of a person is that of the account that the person uses. */
	private Mono<Account> withPlan(Account person) {
		if (!person.role().equals("member")) {
			return Mono.just(person);
		}
		return this.members.of(person.id())
			.map((member) -> Scope.of(member.account()))
			.flatMap((scope) -> this.transactions.in(scope, this.accounts.find(scope))
				.map((account) -> person.withPlan(account.plan())));
	}

	private Mono<Grant> grant(Account account) {
		if (!this.settings.requiresSecondFactor(account)) {
			return Mono.just(account.operator() ? Grant.OPERATOR : Grant.ACCOUNT);
		}
		return this.challenges.areRequired(Scope.of(account.id()))
			.map((required) -> required ? Grant.OPERATOR : Grant.ENROLMENT);
	}

	private record SignedIn(Account account, SignInSession session) {
	}

	/** An address and a password. */
	public record Credentials(EmailAddress email, Secret password) {

		/**
		 * Validates the fields of a request.
		 * @throws dev.mailroom.Refused with all invalid fields
		 */
		public static Credentials of(@Nullable String email, @Nullable Secret password) {
			FieldReader fields = new FieldReader();
			Optional<EmailAddress> address = fields.address(email);
			Optional<Secret> secret = fields.password("password", password);
			fields.requireValid();
			return new Credentials(address.orElseThrow(), secret.orElseThrow());
		}

	}

	/** A challenge and the code that answers it. */
	public record SecondStep(Secret challenge, Secret code) {

		/**
		 * Validates the fields of a request.
		 * @throws dev.mailroom.Refused with all invalid fields
		 */
		public static SecondStep of(@Nullable Secret challenge, @Nullable Secret code) {
			FieldReader fields = new FieldReader();
			Optional<Secret> token = fields.token("challenge", challenge);
			Optional<Secret> entered = fields.token("code", code);
			fields.requireValid();
			return new SecondStep(token.orElseThrow(), entered.orElseThrow());
		}

	}

	/**
	 * Result of a sign-in or a refresh.
	 *
	 * @param lifetime time for which the access token is valid
	 * @param refreshToken token for the next refresh
	 * @param enrolling whether the access token only permits to set up a second factor
	 */
	public record Result(Secret accessToken, Duration lifetime, Secret refreshToken, Account account,
			boolean enrolling) {
	}

}
