package dev.mailroom.system.faults;

import java.util.Locale;

import dev.mailroom.ScriptedSmtpServer;

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
	/** Stopped before the body is read until the test continues. */
	HOLD_BODY,
	/** Stopped after the final dot until the test continues. */
	HOLD_ANSWER;

	/** Addresses of the servers of the domains. */
	static final String FIRST = "127.0.0.2";

	static final String SECOND = "127.0.0.3";

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

	/** Scripts this behaviour for a recipient. */
	void script(ScriptedSmtpServer server, String recipient) {
		switch (this) {
			case TAKE, POSTFIX -> {
			}
			case DEFER -> server.answer("RCPT " + recipient, "451 4.3.2 later", 1);
			case SLOW_DOWN -> server.answer("RCPT " + recipient, "451 4.7.1 not so fast", 1);
			case REFUSE -> server.answer("RCPT " + recipient, "550 5.1.1 unknown");
			case DROP -> server.answer("BODY " + recipient, ScriptedSmtpServer.DROP, 1);
			case STALL -> server.answer("BODY " + recipient, ScriptedSmtpServer.STALL, 1);
			case HOLD_BODY -> server.hold("CONTENT " + recipient);
			case HOLD_ANSWER -> server.hold("BODY " + recipient);
		}
	}

	/** The address of the domain's server. */
	String host() {
		return switch (this) {
			case POSTFIX -> PostfixSink.HOST;
			case DEFER, SLOW_DOWN -> SECOND;
			default -> FIRST;
		};
	}

}
