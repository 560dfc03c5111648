package dev.mailroom.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Parses the variables of a request. */
public final class Variables {

	private static final int MAX_VARIABLES = 1000;

	private Variables() {
	}

	/**
	 * Converts texts, numbers and booleans to text, by name. Null counts as absent.
	 * @throws dev.mailroom.Refused {@code Invalid request data} if a value is a list or
	 * an object, or if there are too many
	 */
	public static Map<String, String> read(@Nullable Map<String, @Nullable Object> values) {
		Map<String, String> variables = new HashMap<>();
		if (values == null) {
			return variables;
		}
		if (values.size() > MAX_VARIABLES) {
			throw TemplateRefusals.invalid("variables", "has more than " + MAX_VARIABLES + " entries");
		}
		values.forEach((name, value) -> {
			if (value != null) {
				variables.put(name, text(value).orElseThrow(
						() -> TemplateRefusals.invalid("variables." + name, "must be a text, a number or a boolean")));
			}
		});
		return variables;
	}

	/** The text of a text, number or boolean; empty for other values. */
	public static Optional<String> text(@Nullable Object value) {
		return switch (value) {
			case String text -> Optional.of(text);
			case Double number when Double.isFinite(number) -> Optional.of(BigDecimal.valueOf(number).toPlainString());
			case Integer number -> Optional.of(number.toString());
			case Long number -> Optional.of(number.toString());
			case BigInteger number -> Optional.of(number.toString());
			case Boolean bool -> Optional.of(bool.toString());
			case null, default -> Optional.empty();
		};
	}

}
