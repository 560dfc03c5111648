package dev.mailroom.worker.inbound;

import org.jspecify.annotations.Nullable;

/**
 * The name of a file as somebody may save it under: a stranger chose it, so it names no
 * folder, hides nothing and ends no line.
 */
final class FileName {

	private static final int LONGEST = 200;

	private static final int LONGEST_EXTENSION = 20;

	private FileName() {
	}

	/**
	 * Cleans a name.
	 * @param otherwise for what is none
	 */
	static String clean(@Nullable String given, String otherwise) {
		if (given == null) {
			return otherwise;
		}
		String last = given.substring(Math.max(given.lastIndexOf('/'), given.lastIndexOf('\\')) + 1);
		StringBuilder kept = new StringBuilder();
		last.codePoints().filter(FileName::isShown).forEach(kept::appendCodePoint);
		String name = kept.toString().strip();
		return name.chars().allMatch((each) -> each == '.') ? otherwise : shortened(name);
	}

	/**
	 * Neither controls nor what turns the direction of writing, so that exe reads fdp.
	 */
	private static boolean isShown(int character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

	private static String shortened(String name) {
		if (name.length() <= LONGEST) {
			return name;
		}
		int dot = name.lastIndexOf('.');
		String extension = (dot > 0 && name.length() - dot <= LONGEST_EXTENSION) ? name.substring(dot) : "";
		return whole(name.substring(0, LONGEST - extension.length())) + extension;
	}

	/** A cut must not leave half of a character. */
	private static String whole(String cut) {
		return Character.isHighSurrogate(cut.charAt(cut.length() - 1)) ? cut.substring(0, cut.length() - 1) : cut;
	}

}
