package dev.mailroom.worker.smtp.server;

import org.jspecify.annotations.Nullable;

/**
 * File name of an attachment, made safe for saving: without directories, control
 * characters and characters that change the direction of writing.
 */
final class FileName {

	private static final int MAX_LENGTH = 200;

	private static final int MAX_EXTENSION_LENGTH = 20;

	private FileName() {
	}

	/**
	 * Cleans a name.
	 * @param otherwise result if nothing remains of the name
	 */
	static String clean(@Nullable String given, String otherwise) {
		if (given == null) {
			return otherwise;
		}
		String last = given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
		StringBuilder cleaned = new StringBuilder();
		last.codePoints().filter(FileName::isSafe).forEach(cleaned::appendCodePoint);
		String name = cleaned.toString().strip();
		return name.chars().allMatch((character) -> character == '.') ? otherwise : shortened(name);
	}

	/**
	 * Excludes control characters and marks of the direction of writing, which can
	 * disguise an extension.
	 */
	private static boolean isSafe(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

	private static String shortened(String name) {
		if (name.length() <= MAX_LENGTH) {
			return name;
		}
		int dot = name.lastIndexOf('.');
		String extension = (dot > 0 && name.length() - dot <= MAX_EXTENSION_LENGTH) ? name.substring(dot) : "";
		return withoutHalfPair(name.substring(0, MAX_LENGTH - extension.length())) + extension;
	}

	/** Removes half of a surrogate pair at the end. */
	private static String withoutHalfPair(String cut) {
		return Character.isHighSurrogate(cut.charAt(cut.length() - 1)) ? cut.substring(0, cut.length() - 1) : cut;
	}

}
