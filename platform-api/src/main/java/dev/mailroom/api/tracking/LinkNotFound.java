package dev.mailroom.api.tracking;

import java.io.Serial;

/** The token of a link is not authentic, or is truncated. */
final class LinkNotFound extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	LinkNotFound() {
		super("The link is incomplete or not valid", null, false, false);
	}

}
