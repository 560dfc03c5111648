package dev.mailroom.mail.queue;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/** Transports by which mail can leave the platform. */
public enum TransportKind {

	/** Through a relay. */
	RELAY,
	/** Directly to the servers of the recipient's domain. */
	MX,
	/** The simulator of the sandbox; selected by the recipient only. */
	SIMULATOR;

	/** The name in settings, columns and attempts. */
	public String contractName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/** The transport with this name; null if there is none. */
	public static @Nullable TransportKind of(@Nullable String name) {
		for (TransportKind kind : values()) {
			if (kind.contractName().equals(name)) {
				return kind;
			}
		}
		return null;
	}

}
