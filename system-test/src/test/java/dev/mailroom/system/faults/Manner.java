package dev.mailroom.system.faults;

import java.util.Locale;

/** How a recipient's first mail is treated; the next one is taken. */
enum Manner {

	/** Taken at once. */
	TAKE,
	/** Taken at once by Postfix's own sink, where mail goes straight to its server. */
	POSTFIX,
	/** Refused for now. */
	DEFER,
	/** Refused for now, as all that comes to this server too soon is. */
	SLOW_DOWN,
	/** Refused for good, whenever it comes. */
	REFUSE,
	/** Taken, and the connection is gone before the answer. */
	DROP,
	/** Taken, and never answered. */
	STALL,
	/** Held in the middle of its body, until the test lets go. */
	HOLD_BODY,
	/** Held when all of it is there, until the test lets go. */
	HOLD_ANSWER;

	/** The domain of recipients that are treated so. */
	String domain() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-') + ".test";
	}

	static Manner of(String address) {
		for (Manner manner : values()) {
			if (address.endsWith("@" + manner.domain())) {
				return manner;
			}
		}
		return TAKE;
	}

	boolean isLasting() {
		return this == REFUSE;
	}

	/** Whether none of it is taken now. */
	boolean isRefusal() {
		return this == DEFER || this == SLOW_DOWN || this == REFUSE;
	}

	/** Where the domain's own server is. */
	String host() {
		return switch (this) {
			case POSTFIX -> PostfixSink.HOST;
			case DEFER, SLOW_DOWN -> Sink.SECOND;
			default -> Sink.FIRST;
		};
	}

}
