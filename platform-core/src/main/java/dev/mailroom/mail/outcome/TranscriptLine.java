package dev.mailroom.mail.outcome;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the SMTP dialogue of an attempt.
 *
 * @param atMs milliseconds since the attempt began
 * @param from client, server, or note for a remark about the session
 */
public record TranscriptLine(long atMs, String from, String text) {

	private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (?:([CS]): )?(.*)");

	/** Parses the stored dialogue of an attempt. */
	public static List<TranscriptLine> read(String conversation) {
		return conversation.lines().map(LINE::matcher).filter(Matcher::matches).map(TranscriptLine::of).toList();
	}

	private static TranscriptLine of(Matcher line) {
		String from = switch (line.group(2)) {
			case "C" -> "client";
			case "S" -> "server";
			case null, default -> "note";
		};
		return new TranscriptLine(Long.parseLong(line.group(1)), from, line.group(3));
	}

}
