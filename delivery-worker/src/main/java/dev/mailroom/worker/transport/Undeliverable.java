package dev.mailroom.worker.transport;

import java.io.IOException;
import java.io.Serial;

/** DNS says that a domain takes no mail, and will not tomorrow either. */
final class Undeliverable extends IOException {

	@Serial
	private static final long serialVersionUID = 1L;

	Undeliverable(String reply) {
		super(reply);
	}

}
