package dev.mailroom.standalone.mailbox;

import java.time.Instant;
import java.util.List;

/**
 * A caught message as a row of the page's list.
 *
 * @param excerpt the beginning of the text
 */
record MessageRow(String id, List<String> rcptTo, String subject, Instant receivedAt, String excerpt) {

	private static final int MAX_EXCERPT = 140;

	/** HTML in which the excerpt of a message without text is looked for. */
	private static final int MAX_HTML = 4000;

	static MessageRow of(Message message) {
		String text = message.text().isEmpty() ? text(message.html()) : message.text();
		String excerpt = cut(text, 4 * MAX_EXCERPT).replaceAll("\\s+", " ").strip();
		return new MessageRow(message.id(), message.rcptTo(), message.subject(), message.receivedAt(),
				cut(excerpt, MAX_EXCERPT));
	}

	private static String text(String html) {
		return cut(html, MAX_HTML).replaceAll("(?s)<head.*?</head>|<[^>]*>", " ");
	}

	private static String cut(String text, int length) {
		return text.substring(0, Math.min(text.length(), length));
	}

}
