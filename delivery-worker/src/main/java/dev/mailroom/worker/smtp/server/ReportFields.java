package dev.mailroom.worker.smtp.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Fields of a header or of a machine-readable part of a report.
 *
 * @param values by field name in lower case; the first of several
 */
record ReportFields(Map<String, String> values) {

	static final ReportFields NONE = new ReportFields(Map.of());

	/** Limit on the groups read: the message and each recipient. */
	private static final int MAX_GROUPS = 50;

	/** Parses groups of fields separated by blank lines (RFC 3464 section 2.1). */
	static List<ReportFields> groups(String text) {
		List<ReportFields> groups = new ArrayList<>();
		StringBuilder group = new StringBuilder();
		for (String line : (text.strip() + "\n\n").split("\r?\n", -1)) {
			if (!line.isBlank()) {
				group.append(line).append('\n');
			}
			else if (!group.isEmpty() && groups.size() <= MAX_GROUPS) {
				Map<String, String> values = new LinkedHashMap<>();
				unfolded(group).lines().forEach((field) -> read(field, values));
				group.setLength(0);
				if (!values.isEmpty()) {
					groups.add(new ReportFields(values));
				}
			}
		}
		return groups;
	}

	private static String unfolded(StringBuilder group) {
		return group.toString().replaceAll("\n[ \t]++", " ");
	}

	/** Parses a header: the fields up to the first blank line. */
	static ReportFields header(String text) {
		List<ReportFields> groups = groups(text);
		return groups.isEmpty() ? NONE : groups.getFirst();
	}

	private static void read(String line, Map<String, String> values) {
		int colon = Math.max(0, line.indexOf(':'));
		String name = line.substring(0, colon).strip();
		if (!name.isEmpty()) {
			values.putIfAbsent(name.toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
		}
	}

	/** Value of a field; empty if missing. */
	String get(String name) {
		return Objects.requireNonNullElse(this.values.get(name), "");
	}

	boolean has(String name) {
		return this.values.containsKey(name);
	}

	/** First word of a value, in lower case. */
	String word(String name) {
		return get(name).split("[\\s;(]", 2)[0].toLowerCase(Locale.ROOT);
	}

}
