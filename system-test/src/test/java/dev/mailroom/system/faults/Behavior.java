package dev.mailroom.system.faults;

import java.util.Locale;

/** Behaviour of the server for the first mail of a recipient; later ones are accepted. */
enum Behavior {

	/** Accepted. */
	TAKE,
	/** Accepted; by Postfix's sink if mail is sent directly. */
	POSTFIX,
	/** Refused temporarily. */
	DEFER,
	/** Refused temporarily by a rate limit of the server. */
	SLOW_DOWN,
	/** Refused permanently, at every attempt. */
	REFUSE,
	/** Accepted, but the connection is closed before the reply. */
	DROP,
	/** Accepted, but never replied to. */
	STALL,
	/** Stopped within the body until the test continues. */
	HOLD_BODY,
	/** Stopped after the final dot until the test continues. */
	HOLD_ANSWER;

	/** The domain of recipients with this behaviour. */
	String domain() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".test";
	}

	static Behavior of(String address) {
		for (Behavior behavior : values()) {
			if (address.endsWith("@" + behavior.domain())) {
				return behavior;
			}
		}
		return TAKE;
	}

	boolean isLasting() {
		return this == REFUSE;
	}

	/** Whether the recipient is refused. */
	boolean isRefusal() {
		return this == DEFER || this == SLOW_DOWN || this == REFUSE;
	}

	/** The address of the domain's server. */
	String host() {
		return switch (this) {
			case POSTFIX -> PostfixSink.HOST;
			case DEFER, SLOW_DOWN -> Sink.SECOND;
			default -> Sink.FIRST;
		};
	}

}
