package dev.mailroom.api.http;

import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Reads the ids in a body. */
public final class Ids {

	private Ids() {
	}

	/**
	 * The id that the text is; empty where it is none, or an abbreviated one as Java
	 * alone would take it.
	 */
	public static Optional<UUID> read(@Nullable String text) {
		try {
			return Optional.ofNullable(text).map(UUID::fromString).filter((id) -> id.toString().equalsIgnoreCase(text));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

}
