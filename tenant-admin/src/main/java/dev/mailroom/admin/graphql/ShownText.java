package dev.mailroom.admin.graphql;

import org.jspecify.annotations.Nullable;

/**
 * Bodies of mails as GraphQL responses contain them: the first mebi of their characters.
 * Previews show the whole HTML.
 */
public final class ShownText {

	/** Most characters of a body in a response. */
	public static final int MAX_LENGTH = 1024 * 1024;

	private ShownText() {
	}

	/** The beginning of a body; null for null. */
	public static @Nullable String cut(@Nullable String body) {
		if (body == null || body.length() <= MAX_LENGTH) {
			return body;
		}
		int end = Character.isHighSurrogate(body.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
		return body.substring(0, end);
	}

	/** Whether one of the bodies of a mail is cut. */
	public static boolean isCut(@Nullable String html, @Nullable String text) {
		return (html != null && html.length() > MAX_LENGTH) || (text != null && text.length() > MAX_LENGTH);
	}

}
