package dev.mailroom.sdk;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * An object of a response. Unknown fields are ignored; a missing or wrong one is named.
 */
record JsonObject(Map<String, @Nullable Object> fields) {

	/** Reads an object. */
	static JsonObject read(String text) {
		return of(Json.read(text), "the body");
	}

	@SuppressWarnings("unchecked")
	private static JsonObject of(@Nullable Object value, String name) {
		return new JsonObject((Map<String, @Nullable Object>) cast(value, Map.class, name));
	}

	private static <T> T cast(@Nullable Object value, Class<T> type, String name) {
		if (!type.isInstance(value)) {
			throw new IllegalArgumentException(
					"The field " + name + " is " + ((value != null) ? "of another type" : "missing"));
		}
		return type.cast(value);
	}

	private <T> T get(String name, Class<T> type) {
		return cast(this.fields.get(name), type, name);
	}

	private <T> @Nullable T getOrNull(String name, Class<T> type) {
		return (this.fields.get(name) != null) ? get(name, type) : null;
	}

	String text(String name) {
		return get(name, String.class);
	}

	@Nullable String textOrNull(String name) {
		return getOrNull(name, String.class);
	}

	<T> @Nullable T readText(String name, Function<String, T> reader) {
		@Nullable String text = textOrNull(name);
		return (text != null) ? reader.apply(text) : null;
	}

	Instant time(String name) {
		try {
			return OffsetDateTime.parse(text(name)).toInstant();
		}
		catch (DateTimeParseException ex) {
			throw new IllegalArgumentException("The field " + name + " is no time", ex);
		}
	}

	@Nullable Instant timeOrNull(String name) {
		return (this.fields.get(name) != null) ? time(name) : null;
	}

	long integer(String name) {
		return get(name, Number.class).longValue();
	}

	@Nullable Long integerOrNull(String name) {
		return (this.fields.get(name) != null) ? (Long) integer(name) : null;
	}

	double number(String name) {
		return get(name, Number.class).doubleValue();
	}

	@Nullable Double numberOrNull(String name) {
		return (this.fields.get(name) != null) ? (Double) number(name) : null;
	}

	boolean bool(String name) {
		return get(name, Boolean.class);
	}

	@Nullable Boolean boolOrNull(String name) {
		return getOrNull(name, Boolean.class);
	}

	JsonObject object(String name) {
		return of(this.fields.get(name), name);
	}

	<T> @Nullable T read(String name, Function<JsonObject, T> reader) {
		return (this.fields.get(name) != null) ? reader.apply(object(name)) : null;
	}

	/** The objects of a list; none if it is absent. */
	<T> List<T> list(String name, Function<JsonObject, T> reader) {
		return elements(name).stream().map((element) -> reader.apply(of(element, name))).toList();
	}

	/** The texts of a list; none if it is absent. */
	List<String> texts(String name) {
		return elements(name).stream().map((element) -> cast(element, String.class, name)).toList();
	}

	/** The fields of an object without a schema; none if it is absent. */
	Map<String, @Nullable Object> map(String name) {
		return (this.fields.get(name) != null) ? object(name).fields() : Map.of();
	}

	@SuppressWarnings("unchecked")
	private List<@Nullable Object> elements(String name) {
		return Objects.requireNonNullElse(getOrNull(name, List.class), List.of());
	}

}
