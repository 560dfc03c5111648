package dev.mailroom.api.tracking;

import java.io.Serial;

/** A link that was never one of ours, or has lost a part on its way. */
final class LinkNotFound extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	LinkNotFound() {
		super("This link is not complete, or was never one of ours", null, false, false);
	}

}
