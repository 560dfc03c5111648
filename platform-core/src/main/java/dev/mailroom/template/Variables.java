package dev.mailroom.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Reads what a template is to be filled in with. */
public final class Variables {

	private static final int MOST = 1000;

	private Variables() {
	}

	/**
	 * Texts, numbers and truth values as text, by name; null is as good as not given.
	 * @throws dev.mailroom.Refused {@code Invalid request data} where one is a list or an
	 * object, or there are too many
	 */
	public static Map<String, String> read(@Nullable Map<String, @Nullable Object> given) {
		Map<String, String> variables = new HashMap<>();
		if (given == null) {
			return variables;
		}
		if (given.size() > MOST) {
			throw TemplateRefusals.invalid("variables", "has more than " + MOST + " entries");
		}
		given.forEach((name, value) -> {
			switch (value) {
				case null -> {
					// As if it were not there.
				}
				case String text -> variables.put(name, text);
				case Double number when Double.isFinite(number) ->
					variables.put(name, BigDecimal.valueOf(number).toPlainString());
				case Integer number -> variables.put(name, number.toString());
				case Long number -> variables.put(name, number.toString());
				case BigInteger number -> variables.put(name, number.toString());
				case Boolean truth -> variables.put(name, truth.toString());
				default ->
					throw TemplateRefusals.invalid("variables." + name, "must be a text, a number or a truth value");
			}
		});
		return variables;
	}

}
