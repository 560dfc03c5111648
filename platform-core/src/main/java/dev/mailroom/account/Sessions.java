package dev.mailroom.account;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.ClientDevice;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Starts, continues and ends sessions. A session has one valid refresh token, which each
 * refresh replaces.
 */
@Service
public class Sessions {

	/** Lifetime of a session after its last refresh. */
	static final Duration LIFETIME = Duration.ofDays(30);

	/** Lifetime of a session however often it is refreshed. */
	static final Duration LONGEST = Duration.ofDays(90);

	/** Time after a sign-in in which the person need not repeat the password. */
	private static final Duration FRESH = AccessTokens.LIFETIME;

	private static final Logger log = LoggerFactory.getLogger(Sessions.class);

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private final SessionStore store;

	private final SecondFactors factors;

	private final Throttle throttle;

	private final Transactions transactions;

	private final Audits audits;

	private final NoArgGenerator ids;

	Sessions(SessionStore store, SecondFactors factors, Throttle throttle, Transactions transactions, Audits audits,
			NoArgGenerator ids) {
		this.store = store;
		this.factors = factors;
		this.throttle = throttle;
		this.transactions = transactions;
		this.audits = audits;
		this.ids = ids;
	}

	/**
	 * Starts a session of an account with the device of the request's client, and removes
	 * the account's expired ones.
	 */
	public Mono<SignInSession> start(Scope scope) {
		RefreshToken token = RefreshToken.random();
		SignInSession session = new SignInSession(this.ids.generate(), scope.account(), token.text());
		return ClientDevice.current()
			.flatMap((device) -> this.transactions.in(scope, this.store.insert(session, token, device)))
			.thenReturn(session);
	}

	/** Finds the session of a refresh token, valid or already used. */
	public Mono<SignInSession> find(Secret refreshToken) {
		return Mono.justOrEmpty(RefreshToken.parse(refreshToken))
			.flatMap((token) -> this.throttle.lookUp(this.store.find(token.family())))
			.map((row) -> new SignInSession(row.id(), row.accountId(), refreshToken));
	}

	/**
	 * Exchanges the session's refresh token for the next one. A token that was used
	 * before may have been stolen: then the session ends and the result is empty.
	 */
	public Mono<SignInSession> refresh(SignInSession session) {
		return Mono.justOrEmpty(RefreshToken.parse(session.refreshToken())).flatMap((presented) -> {
			RefreshToken next = presented.next();
			Mono<SignInSession> refreshed = this.store.replace(session, presented, next)
				.flatMap((replaced) -> replaced
						? Mono.just(new SignInSession(session.id(), session.accountId(), next.text()))
						: endReused(session));
			return this.transactions.in(Scope.of(session.accountId()), refreshed);
		});
	}

	/** Whether a session of a person began with a sign-in a few minutes ago. */
	Mono<Boolean> isFresh(Scope person, UUID id) {
		return this.transactions.in(person, this.store.isYounger(person, id, FRESH));
	}

	/** Ends a session. */
	public Mono<Void> end(SignInSession session) {
		return this.transactions.in(Scope.of(session.accountId()), this.store.delete(session));
	}

	/**
	 * Ends all sessions of an account, after the sign-ins that wait for a second factor:
	 * ending them waits for a second step that is not committed, and the session that it
	 * starts is ended too.
	 */
	public Mono<Void> endAll(Scope scope) {
		return this.transactions.in(scope, this.factors.endChallenges(scope).then(this.store.deleteAll(scope)));
	}

	/** The account's sessions, newest first. */
	public Mono<List<Open>> list(Scope scope) {
		return this.transactions.in(scope, this.store.list(scope).collectList());
	}

	/**
	 * Ends one of the account's sessions. Its access tokens become invalid at once.
	 * @throws dev.mailroom.Refused {@code Not found}
	 */
	public Mono<Void> end(Scope scope, UUID id) {
		Mono<Long> ended = this.store.delete(scope, id)
			.filter((count) -> count > 0)
			.delayUntil((_) -> this.audits.record(scope, Act.SESSION_ENDED, id, Map.of()));
		return this.transactions.in(scope, ended)
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no session " + id)))
			.then();
	}

	private Mono<SignInSession> endReused(SignInSession session) {
		log.warn("A used refresh token was presented again: ended session {} of account {}", session.id(),
				session.accountId());
		return this.store.delete(session).then(Mono.empty());
	}

	/**
	 * A session that has not ended.
	 *
	 * @param createdAt time of the sign-in
	 * @param expiresAt time at which it ends unless it is refreshed
	 * @param device program and system of the client that signed in; null if unknown
	 */
	public record Open(UUID id, UUID accountId, Instant createdAt, Instant expiresAt, @Nullable String device) {
	}

}
