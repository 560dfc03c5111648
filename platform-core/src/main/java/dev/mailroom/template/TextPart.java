package dev.mailroom.template;

import org.jspecify.annotations.Nullable;

/** A piece of a template's text. */
sealed interface TextPart {

	/** Stands as it is. */
	record Literal(String text) implements TextPart {
	}

	/**
	 * Stands for a variable.
	 *
	 * @param fallback what stands there where the variable is empty; null for nothing
	 */
	record Placeholder(String name, @Nullable String fallback) implements TextPart {
	}

}
