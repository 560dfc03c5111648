package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import dev.mailroom.mail.outcome.Outcome;
import reactor.core.publisher.Mono;

/**
 * Session limit and circuit breaker of one destination. The limit begins low, increases
 * with accepted mail and is halved after a failure.
 */
final class DestinationState {

	private static final int INITIAL_SESSIONS = 2;

	/**
	 * Replies that end the session or report that the server is overloaded, regardless of
	 * the sender (RFC 3463 section 3.5). Replies about the sender's reputation (4.7.x)
	 * are not among them: they concern one account.
	 */
	private static final Pattern OVERLOADED = Pattern.compile("^(421\\b|4\\d\\d[ -]4\\.4\\.2\\b).*", Pattern.DOTALL);

	private final String domain;

	private final DestinationBreaker breaker;

	private final int maxSessions;

	private final AtomicInteger sessions;

	DestinationState(String domain, MxSettings settings) {
		this.domain = domain;
		this.maxSessions = settings.sessions();
		this.sessions = new AtomicInteger(Math.min(INITIAL_SESSIONS, this.maxSessions));
		this.breaker = new DestinationBreaker("mx", settings.breakFor(), Undeliverable.class);
	}

	String domain() {
		return this.domain;
	}

	/** Number of sessions that may currently be in use. */
	int sessions() {
		return this.sessions.get();
	}

	/** While it is open, open sessions are not used either. */
	DestinationBreaker breaker() {
		return this.breaker;
	}

	/** The state for operators. */
	State state() {
		if (this.breaker.isOpen()) {
			return State.BREAKER_OPEN;
		}
		return (sessions() < Math.min(INITIAL_SESSIONS, this.maxSessions)) ? State.BACKING_OFF : State.OPEN;
	}

	/** Applies the circuit breaker to opening a session and records a failure. */
	<T> Mono<T> guard(Mono<T> opening) {
		return this.breaker.guard(opening.doOnError((error) -> !(error instanceof Undeliverable), (_) -> shrink()));
	}

	/** Increases the session limit by one; called once per use of a session. */
	void grow() {
		this.sessions.updateAndGet((now) -> Math.min(this.maxSessions, now + 1));
	}

	/** Records an outcome. Only an overloaded server counts as a failure. */
	void completed(Outcome outcome) {
		if (isOverloaded(outcome)) {
			failed(new IOException(((Outcome.Deferred) outcome).reply()));
		}
		else {
			this.breaker.succeeded();
		}
	}

	static boolean isOverloaded(Outcome outcome) {
		return outcome instanceof Outcome.Deferred deferred && OVERLOADED.matcher(deferred.reply()).matches();
	}

	/** Records a broken session or a missing reply. */
	void failed(Throwable error) {
		shrink();
		this.breaker.failed(error);
	}

	private void shrink() {
		this.sessions.updateAndGet((now) -> Math.max(1, now / 2));
	}

	/** States of a destination. */
	enum State {

		/** Sessions may be opened. */
		OPEN,
		/** The session limit is below its initial value after failures. */
		BACKING_OFF,
		/** The circuit breaker is open: the destination is not contacted for a while. */
		BREAKER_OPEN

	}

}
