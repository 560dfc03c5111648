package dev.mailroom.api.http;

import java.util.Optional;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** Parsing of ids in bodies. */
public final class Ids {

	private Ids() {
	}

	/**
	 * Parses an id; empty for null, for other text and for the abbreviated forms that
	 * {@link UUID#fromString} accepts.
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
