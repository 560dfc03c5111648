package dev.mailroom.account;

import java.time.Duration;
import java.util.Locale;

/** What a link in a mail is good for, and how long. */
enum Purpose {

	VERIFY_EMAIL(Duration.ofDays(1)), RESET_PASSWORD(Duration.ofHours(1));

	private final Duration lifetime;

	Purpose(Duration lifetime) {
		this.lifetime = lifetime;
	}

	Duration lifetime() {
		return this.lifetime;
	}

	/** As the database has it. */
	String wire() {
		return name().toLowerCase(Locale.ROOT);
	}

}
