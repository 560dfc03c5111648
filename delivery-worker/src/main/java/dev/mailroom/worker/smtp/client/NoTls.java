package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.io.Serial;
import java.util.Objects;

/** The server offers STARTTLS, but TLS could not be established. */
public final class NoTls extends IOException {

	@Serial
	private static final long serialVersionUID = 1L;

	NoTls(Throwable cause) {
		super("TLS failed: " + Objects.requireNonNullElse(cause.getMessage(), "the connection was lost"), cause);
	}

}
