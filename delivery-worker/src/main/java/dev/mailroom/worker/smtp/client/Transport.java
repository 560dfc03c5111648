package dev.mailroom.worker.smtp.client;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.operator.Circuit;
import dev.mailroom.site.Site;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A way of sending mail: through a relay, or directly to the recipients' servers. Each
 * transport decides which mails may share a session.
 */
public interface Transport {

	/** Name in settings, domains and attempts. */
	String name();

	/**
	 * Whether this transport takes the mail regardless of any choice; the sandbox does.
	 */
	default boolean claims(Route route) {
		return false;
	}

	/**
	 * Key of the destination: mails with the same key may share a session. The servers of
	 * a domain, or the domain, for direct delivery; a constant for a relay.
	 */
	String destination(Route route);

	/**
	 * Whether there is a single destination. Waiting for it then delays no other mail.
	 */
	default boolean isOneForAll() {
		return false;
	}

	/**
	 * Number of sessions that may currently be in use with the destination. The default
	 * sets no limit below the number of sender threads.
	 */
	default int room(Route route) {
		return Integer.MAX_VALUE;
	}

	/**
	 * The time for which the destination is not contacted after repeated failures, or
	 * after repeated refusals of the account's mail; empty if mail can be sent now.
	 */
	default Optional<Duration> closedFor(Route route) {
		return Optional.empty();
	}

	/**
	 * Chooses the sending address of a mail, if a pool is chosen for it; called when the
	 * worker takes its lease.
	 */
	default Assignment assign(Lease lease) {
		return new Assignment(lease.route(), Duration.ZERO);
	}

	/**
	 * Looks up what {@link #admits} has to know of a destination; called before it for
	 * one route of a batch.
	 */
	default Mono<Boolean> lookUp(Route route) {
		return Mono.just(true);
	}

	/**
	 * Whether the account's rate limit admits one more mail to the destination. Each call
	 * counts as one mail; called once per mail, before the fence.
	 */
	default boolean admits(Route route) {
		return true;
	}

	/**
	 * Whether a mail may be sent from its address; called once for each mail that
	 * {@link #admits} admits. Otherwise another address has to be assigned.
	 */
	default boolean permits(Route route) {
		return true;
	}

	/** The connections to the servers of a domain, for operators. Creates no state. */
	default Link link(String domain) {
		return Link.NONE;
	}

	/**
	 * Longest time from the beginning of a hand-over to its outcome; the lease of a
	 * hand-over must be longer.
	 */
	default Duration handOverLimit() {
		return Duration.ZERO;
	}

	/**
	 * Runs work with a session, which is returned afterwards.
	 * @param route route of any mail of the destination
	 * @throws NotOpened through the Mono, if no session could be opened or became free in
	 * time
	 */
	<T> Mono<T> with(Route route, Function<Session, Mono<T>> work);

	/**
	 * The sending address of a mail.
	 *
	 * @param route the route of the mail from now on; null if no address can be used
	 * @param delay time for which the mail then waits in the queue
	 */
	record Assignment(@Nullable Route route, Duration delay) {
	}

	/**
	 * Connections to the servers of a domain, or to a relay.
	 *
	 * @param connections number of open connections
	 * @param limit number of connections that may be used at present
	 * @param remaining time until an open circuit admits a trial
	 * @param site the servers that share limits; null if that is not known
	 */
	record Link(int connections, int limit, Circuit circuit, Duration remaining, @Nullable Site site) {

		/** No connection. */
		public static final Link NONE = new Link(0, 0, Circuit.CLOSED, Duration.ZERO, null);

		/** Both together, with the worse circuit. */
		public Link and(Link other) {
			Link worse = (other.circuit.compareTo(this.circuit) > 0) ? other : this;
			return new Link(this.connections + other.connections, this.limit + other.limit, worse.circuit,
					worse.remaining, this.site);
		}

	}

}
