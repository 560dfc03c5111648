package dev.mailroom.worker.transport;

import java.io.IOException;
import java.io.Serial;
import java.util.Objects;

/** TLS was offered and did not come about. */
final class NoTls extends IOException {

	@Serial
	private static final long serialVersionUID = 1L;

	NoTls(Throwable cause) {
		super("TLS did not come about: " + Objects.requireNonNullElse(cause.getMessage(), "the connection was lost"),
				cause);
	}

}
