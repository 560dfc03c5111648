package dev.mailroom.account;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Signing in, staying signed in, signing out. */
@Service
public class SignIn {

	static final Duration REFRESH_LIFETIME = Duration.ofDays(30);

	private static final Logger log = LoggerFactory.getLogger(SignIn.class);

	private final AccountStore accounts;

	private final SessionStore sessions;

	private final PasswordVerifier keeper;

	private final Throttle throttle;

	private final AccessTokens tokens;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	SignIn(AccountStore accounts, SessionStore sessions, PasswordVerifier keeper, Throttle throttle,
			AccessTokens tokens, Transactions transactions, NoArgGenerator ids) {
		this.accounts = accounts;
		this.sessions = sessions;
		this.keeper = keeper;
		this.throttle = throttle;
		this.tokens = tokens;
		this.transactions = transactions;
		this.ids = ids;
	}

	/** Signs in with a password; one answer for an unknown address and a wrong one. */
	public Mono<SignedIn> login(Credentials credentials) {
		return this.accounts.byEmail(credentials.email())
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((holder) -> this.keeper
				.matches(credentials.email(), credentials.password(),
						holder.map(StoredCredentials::passwordHash).orElse(null))
				.flatMap((right) -> right ? start(holder.orElseThrow())
						: this.throttle.failed(credentials.email(), AccountRefusals.wrongCredentials())));
	}

	/**
	 * Exchanges a refresh token for the next pair. One that was used before is a stolen
	 * one, or the owner's after a theft: the whole session ends.
	 */
	public Mono<SignedIn> refresh(Secret token) {
		return Mono.justOrEmpty(RefreshToken.parse(token))
			.flatMap((presented) -> this.sessions.byFamily(presented.family())
				.flatMap((session) -> rotate(session, presented)))
			.switchIfEmpty(Mono.error(AccountRefusals::badRefreshToken));
	}

	/** Ends the session of a refresh token; nothing where it is none of ours. */
	public Mono<Void> logout(Secret token) {
		return Mono.justOrEmpty(RefreshToken.parse(token))
			.flatMap((presented) -> this.sessions.byFamily(presented.family()))
			.flatMap((session) -> this.transactions.in(Scope.of(session.accountId()), this.sessions.end(session)));
	}

	private Mono<SignedIn> start(StoredCredentials holder) {
		Session session = new Session(this.ids.generate(), holder.accountId());
		RefreshToken token = RefreshToken.random();
		return Mono.justOrEmpty(holder.passwordHash())
			.flatMap((hash) -> within(session, this.sessions.start(session, token, hash)))
			.flatMap((account) -> signedIn(account, session.id(), token))
			.switchIfEmpty(Mono.error(AccountRefusals::wrongCredentials));
	}

	private Mono<SignedIn> rotate(Session session, RefreshToken presented) {
		RefreshToken next = presented.next();
		Mono<Boolean> rotated = this.sessions.rotate(session, presented, next)
			.flatMap((done) -> done ? Mono.just(true) : reused(session));
		return within(session, rotated).flatMap((account) -> signedIn(account, session.id(), next));
	}

	private Mono<Boolean> reused(Session session) {
		log.warn("A used refresh token came again: session {} of account {} ends", session.id(), session.accountId());
		return this.sessions.end(session).thenReturn(false);
	}

	/** Commits what was done to a session and, if it stands, finds its account. */
	private Mono<Account> within(Session session, Mono<Boolean> work) {
		Scope scope = Scope.of(session.accountId());
		return this.transactions.in(scope, work.flatMap((stands) -> stands ? this.accounts.find(scope) : Mono.empty()));
	}

	private Mono<SignedIn> signedIn(Account account, UUID session, RefreshToken token) {
		return this.tokens.issue(account, session)
			.map((access) -> new SignedIn(access, AccessTokens.LIFETIME, token.whole(), account));
	}

}
