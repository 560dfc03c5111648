package dev.mailroom.account;

import java.time.Duration;
import java.util.Optional;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.account.AccountStore.StoredCredentials;
import dev.mailroom.token.AccessTokens;
import dev.mailroom.token.Secret;
import dev.mailroom.token.Session;
import dev.mailroom.token.Sessions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Signs people in and out, and refreshes their tokens. */
@Service
public class SignIn {

	private final AccountStore accounts;

	private final Sessions sessions;

	private final PasswordVerifier verifier;

	private final Throttle throttle;

	private final AccessTokens tokens;

	private final Transactions transactions;

	SignIn(AccountStore accounts, Sessions sessions, PasswordVerifier verifier, Throttle throttle, AccessTokens tokens,
			Transactions transactions) {
		this.accounts = accounts;
		this.sessions = sessions;
		this.verifier = verifier;
		this.throttle = throttle;
		this.tokens = tokens;
		this.transactions = transactions;
	}

	/**
	 * Signs in with a password.
	 * @throws dev.mailroom.Refused {@code Unauthorized}, the same for an unknown address
	 * and a wrong password, or {@code Rate limit exceeded} after too many failures
	 */
	public Mono<Result> login(Credentials credentials) {
		return this.accounts.findByEmail(credentials.email())
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((stored) -> this.verifier
				.matches(credentials.email(), credentials.password(),
						stored.map(StoredCredentials::passwordHash).orElse(null))
				.flatMap((matches) -> matches
						? start(stored.orElseThrow()).delayUntil((_) -> this.throttle.succeeded(credentials.email()))
						: this.throttle.countFailure(credentials.email(), AccountRefusals.wrongCredentials())));
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
	private Mono<Result> start(StoredCredentials stored) {
		Scope scope = Scope.of(stored.accountId());
		Mono<SignedIn> signedIn = Mono.justOrEmpty(stored.passwordHash())
			.flatMap((hash) -> this.accounts.lockWithPassword(scope, hash))
			.flatMap((account) -> this.sessions.start(scope).map((session) -> new SignedIn(account, session)));
		return this.transactions.in(scope, signedIn)
			.flatMap(this::issue)
			.switchIfEmpty(Mono.error(AccountRefusals::wrongCredentials));
	}

	private Mono<Result> refresh(Session session) {
		Scope scope = Scope.of(session.accountId());
		Mono<SignedIn> refreshed = this.sessions.refresh(session)
			.flatMap((next) -> this.accounts.find(scope).map((account) -> new SignedIn(account, next)));
		return this.transactions.in(scope, refreshed).flatMap(this::issue);
	}

	private Mono<Result> issue(SignedIn signedIn) {
		Account account = signedIn.account();
		return this.tokens.issue(signedIn.session(), account.operator())
			.map((access) -> new Result(access, AccessTokens.LIFETIME, signedIn.session().refreshToken(), account));
	}

	private record SignedIn(Account account, Session session) {
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

	/**
	 * Result of a sign-in or a refresh.
	 *
	 * @param lifetime time for which the access token is valid
	 * @param refreshToken token for the next refresh
	 */
	public record Result(Secret accessToken, Duration lifetime, Secret refreshToken, Account account) {
	}

}
