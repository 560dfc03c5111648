package dev.mailroom.contact;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

/** Remembers what is wrong with each field of a contact. */
final class FieldErrors {

	private static final int LONGEST_NAME = 200;

	/** Properties in all, in characters; a number or a boolean counts as a few. */
	private static final int MOST_PROPERTIES = 10_000;

	private static final int SCALAR = 8;

	/** As many are told: a thousand bad contacts need no thousand lines. */
	private static final int MOST_TOLD = 100;

	private final List<Refusal.Detail> faults = new ArrayList<>();

	private final String at;

	FieldErrors(String at) {
		this.at = at;
	}

	void add(String field, String message) {
		this.faults.add(new Refusal.Detail(this.at + field, message));
	}

	void name(String field, @Nullable String name) {
		if (name != null && name.length() > LONGEST_NAME) {
			add(field, "must have at most " + LONGEST_NAME + " characters");
		}
		if (name != null && name.chars().anyMatch(EmailAddress::breaksALine)) {
			add(field, "must not contain control characters");
		}
	}

	void properties(@Nullable Map<String, @Nullable Object> properties) {
		if (properties == null) {
			return;
		}
		if (holdsNul(properties)) {
			add("properties", "must not contain the character NUL");
		}
		if (weight(properties) > MOST_PROPERTIES) {
			add("properties", "must have at most " + MOST_PROPERTIES + " characters");
		}
	}

	boolean isEmpty() {
		return this.faults.isEmpty();
	}

	List<Refusal.Detail> all() {
		return List.copyOf(this.faults);
	}

	/**
	 * Refuses what has faults.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	static void settle(List<Refusal.Detail> faults) {
		if (!faults.isEmpty()) {
			Refusal.Detail first = faults.getFirst();
			throw ContactRefusals.INVALID.because(first.field() + " " + first.message(),
					faults.subList(0, Math.min(MOST_TOLD, faults.size())));
		}
	}

	/** PostgreSQL has no such character. */
	private static boolean holdsNul(@Nullable Object value) {
		return switch (value) {
			case String text -> text.indexOf('\0') >= 0;
			case Map<?, ?> map ->
				map.entrySet().stream().anyMatch((it) -> holdsNul(it.getKey()) || holdsNul(it.getValue()));
			case Collection<?> list -> list.stream().anyMatch(FieldErrors::holdsNul);
			case null, default -> false;
		};
	}

	private static long weight(@Nullable Object value) {
		return switch (value) {
			case String text -> text.length() + 2L;
			case Map<?, ?> map ->
				map.entrySet().stream().mapToLong((it) -> weight(it.getKey()) + weight(it.getValue())).sum();
			case Collection<?> list -> SCALAR + list.stream().mapToLong(FieldErrors::weight).sum();
			case null, default -> SCALAR;
		};
	}

}
