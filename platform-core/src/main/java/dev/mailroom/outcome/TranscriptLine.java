package dev.mailroom.outcome;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the conversation with a server, as a sender sees it.
 *
 * @param atMs milliseconds after the attempt began
 * @param from who said it: client, server, or note where nobody did
 */
public record TranscriptLine(long atMs, String from, String text) {

	private static final Pattern LINE = Pattern.compile("(\\d{1,18}) (?:([CS]): )?(.*)");

	/** Reads an attempt's conversation. */
	static List<TranscriptLine> read(String conversation) {
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
