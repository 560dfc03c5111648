package dev.mailroom.check;

/**
 * A result of a check.
 *
 * @param message a sentence for the author of the mail
 */
public record ContentFinding(Check check, Level level, String message) {

	/** Property of the content that is checked, in the order of a list. */
	public enum Check {

		/** One doctype, one html, one body, no scripts. */
		DOCUMENT,
		/** The subject. */
		SUBJECT,
		/** The text that the inbox shows after the subject. */
		PREHEADER,
		/** Addresses of links. */
		LINKS,
		/** Addresses and weight of images. */
		IMAGES,
		/** Alternative texts of images. */
		ALT,
		/** The size from which Gmail clips a mail. */
		SIZE,
		/** The contrast between text and its background, from inline styles. */
		CONTRAST,
		/** The plain text part. */
		TEXT,
		/** The link to unsubscribe. */
		UNSUBSCRIBE,
		/** Words that spam filters count. */
		SPAM

	}

	/** Severity of a finding. */
	public enum Level {

		/** Must be corrected. */
		ERROR,
		/** Should be corrected. */
		WARNING,
		/** In order. */
		PASSED

	}

}
