package dev.mailroom.worker.transport;

import java.io.IOException;
import java.io.Serial;

/** A server that answered, and does not want to speak with us. */
final class RefusedSession extends IOException {

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Reply reply;

	RefusedSession(Reply reply) {
		super("The server refused the session: " + reply.text());
		this.reply = reply;
	}

	Reply reply() {
		return this.reply;
	}

}
