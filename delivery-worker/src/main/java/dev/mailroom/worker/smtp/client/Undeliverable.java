package dev.mailroom.worker.smtp.client;

import java.io.IOException;
import java.io.Serial;

/** According to DNS, a domain permanently accepts no mail. */
final class Undeliverable extends IOException {

	@Serial
	private static final long serialVersionUID = 1L;

	Undeliverable(String reply) {
		super(reply);
	}

}
