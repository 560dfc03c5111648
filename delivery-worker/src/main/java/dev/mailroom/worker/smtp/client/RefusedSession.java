package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.io.Serial;

/** The server refused a command before the first mail. */
public final class RefusedSession extends IOException {

	@Serial
	private static final long serialVersionUID = 1L;

	RefusedSession(Reply reply) {
		super("The server refused the session: " + reply.text());
	}

}
