package dev.mailroom.template;

import org.jspecify.annotations.Nullable;

/** A piece of a template's text. */
sealed interface Part {

	/** Stands as it is. */
	record Literal(String text) implements Part {
	}

	/**
	 * Stands for a variable.
	 *
	 * @param fallback what stands there where the variable is empty; null for nothing
	 */
	record Placeholder(String name, @Nullable String fallback) implements Part {
	}

}
