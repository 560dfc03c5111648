package dev.mailroom.cli;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** Lines about events, as in the log of mails. */
final class Events {

	private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

	/** Fields of the data of events that say what happened, beside those of bounces. */
	private static final String[][] DETAILS = { { "failed", "reason" }, { "click", "url" },
			{ "complaint", "feedback_type" }, { "name" }, { "email" } };

	private Events() {
	}

	/** Time, kind, mail, recipient, subject, and what happened. */
	static String line(Output output, Value event) {
		Value data = event.at("data");
		String kind = event.at("type").text();
		String state = kind.substring(kind.indexOf('.') + 1);
		String shown = output.status(state).equals(state) ? kind : output.status(state).replace(state, kind);
		StringBuilder line = new StringBuilder();
		line.append(event.at("created_at").absent() ? ""
				: CLOCK.format(event.at("created_at").instant().atZone(ZoneId.systemDefault())));
		append(line, shown + " ".repeat(Math.max(0, 18 - kind.length())));
		append(line, event.at("email_id").text());
		append(line, recipient(data));
		append(line, data.at("subject").text());
		append(line, detail(data));
		return line.toString();
	}

	private static String recipient(Value data) {
		return data.at("recipient").absent() ? data.at("to").joined() : data.at("recipient").text();
	}

	private static String detail(Value data) {
		Value bounce = data.at("bounce");
		if (!bounce.absent()) {
			return bounce.at("type").text() + " " + bounce.at("diagnostic").text();
		}
		for (String[] field : DETAILS) {
			if (!data.at(field).absent()) {
				return data.at(field).text();
			}
		}
		return "";
	}

	private static void append(StringBuilder line, String text) {
		if (!text.isEmpty()) {
			line.append("  ").append(text);
		}
	}

}
