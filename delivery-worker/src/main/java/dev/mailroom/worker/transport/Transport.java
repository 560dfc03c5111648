package dev.mailroom.worker.transport;

import java.util.function.Function;

import dev.mailroom.queue.Route;
import reactor.core.publisher.Mono;

/**
 * A way for mail to leave: through a relay, or straight to the recipients' servers. Which
 * mails may share a session is its own affair.
 */
public interface Transport {

	/** As settings, domains and attempts name it. */
	String name();

	/** Whether accounts may be told to go by it. */
	default boolean isChoice() {
		return true;
	}

	/**
	 * Whether it takes this mail whatever else was chosen, as one for test addresses
	 * does.
	 */
	default boolean claims(Route route) {
		return false;
	}

	/**
	 * What a mail can share a session with: all of one answer go together. A host's name,
	 * or one word for all.
	 */
	String destination(Route route);

	/**
	 * Whether it has but one destination, so that waiting for it holds up nobody else.
	 */
	default boolean isOneForAll() {
		return false;
	}

	/**
	 * How many sessions may be at work with the destination at a time, as things stand
	 * now; where it does not matter, as many as there are lanes for.
	 */
	default int room(Route route) {
		return Integer.MAX_VALUE;
	}

	/**
	 * Whether one more mail of this account may go there now: asked once a mail, before
	 * anything is tried with it.
	 */
	default boolean admits(Route route) {
		return true;
	}

	/**
	 * Lends a session for as long as the work with it takes.
	 * @param route of any mail of the destination
	 * @throws NotOpened where none could be opened, or was free in time
	 */
	<T> Mono<T> with(Route route, Function<Session, Mono<T>> work);

}
