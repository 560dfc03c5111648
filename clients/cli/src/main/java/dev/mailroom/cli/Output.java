package dev.mailroom.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import dev.mailroom.sdk.Json;
import org.jspecify.annotations.Nullable;

/**
 * Prints results to standard output, as text or JSON, and notes to standard error, if a
 * person sees them.
 */
final class Output {

	/** Also marks of the direction of writing, and the C1 control characters. */
	private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");

	private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");

	private final Program program;

	private final boolean json;

	private final boolean colored;

	private int drawn;

	Output(Program program, boolean json) {
		this.program = program;
		this.json = json;
		this.colored = program.variable("NO_COLOR") == null && !"dumb".equals(program.variable("TERM"));
	}

	/**
	 * Replaces the characters that a terminal obeys; lines end up side by side.
	 */
	static String clean(String text) {
		return CONTROL.matcher(text).replaceAll((match) -> "\t\n\r".contains(match.group()) ? " " : "");
	}

	boolean isJson() {
		return this.json;
	}

	/** Prints a value as JSON, or lines for a person. */
	void result(@Nullable Object value, String... lines) {
		if (this.json) {
			json(value);
		}
		else {
			Arrays.stream(lines).forEach(this.program.out()::println);
		}
		check();
	}

	/** Prints JSON. Characters that JSON allows but terminals obey are escaped. */
	void json(@Nullable Object value) {
		this.program.out().println(escaped(value));
	}

	private static String escaped(@Nullable Object value) {
		return CONTROL.matcher(Json.write(value))
			.replaceAll((MatchResult match) -> String.format("\\\\u%04x", (int) match.group().charAt(0)));
	}

	/** Prints a text as it is. */
	void raw(String text) {
		this.program.out().print(text);
		this.program.out().flush();
		check();
	}

	/** The reader of a pipe may have seen enough. */
	private void check() {
		if (this.program.out().checkError()) {
			throw new Failure(0, "closed", "");
		}
	}

	/** Prints an error. */
	void error(Object value, String line) {
		this.program.err().println(this.json ? escaped(value) : "✗ " + line);
	}

	/** Prints a line of progress. */
	void note(String line) {
		if (this.program.notes()) {
			this.program.err().println(line);
		}
	}

	/** Prints lines of progress in place of those before. */
	void draw(List<String> lines) {
		if (!this.program.notes()) {
			return;
		}
		// Without automatic wrapping, so that a narrow terminal shows as many lines.
		StringBuilder text = new StringBuilder("\u001b[?7l");
		if (this.drawn > 0) {
			text.append("\u001b[").append(this.drawn).append('A');
		}
		lines.forEach((line) -> text.append("\r\u001b[K").append(line).append('\n'));
		text.append("\u001b[J\u001b[?7h");
		this.program.err().print(text);
		this.program.err().flush();
		this.drawn = lines.size();
	}

	/** Lets the lines that were drawn stand. */
	void drawn() {
		this.drawn = 0;
	}

	/** Prints the rows of a list, or the values that they show. */
	void table(List<Value> values, List<String> head, List<List<String>> rows) {
		result(values.stream().map(Value::it).toList(),
				this.json ? new String[0] : lines(head, rows).toArray(String[]::new));
	}

	/** Lines of a table whose columns are as wide as needed. */
	List<String> lines(List<String> head, List<List<String>> rows) {
		if (rows.isEmpty()) {
			return List.of(dim("There are none."));
		}
		List<List<String>> all = new ArrayList<>();
		all.add(head.stream().map(this::dim).toList());
		all.addAll(rows);
		int[] widths = new int[head.size()];
		all.forEach((row) -> {
			for (int i = 0; i < widths.length; i++) {
				widths[i] = Math.max(widths[i], width(row.get(i)));
			}
		});
		return all.stream().map((row) -> line(row, widths)).toList();
	}

	private static String line(List<String> row, int[] widths) {
		StringBuilder line = new StringBuilder();
		for (int i = 0; i < widths.length; i++) {
			String cell = row.get(i);
			line.append(cell);
			if (i < widths.length - 1) {
				line.append(" ".repeat(widths[i] - width(cell) + 2));
			}
		}
		return line.toString().stripTrailing();
	}

	private static int width(String cell) {
		String text = STYLE.matcher(cell).replaceAll("");
		return text.codePointCount(0, text.length());
	}

	/** Cuts a text in the middle of a line. */
	static String cut(String text, int longest) {
		return (text.length() > longest) ? text.substring(0, longest - 1) + "…" : text;
	}

	String green(String text) {
		return styled(32, text);
	}

	String red(String text) {
		return styled(31, text);
	}

	String yellow(String text) {
		return styled(33, text);
	}

	String dim(String text) {
		return styled(2, text);
	}

	/** A status in the colour of its meaning. */
	String status(String status) {
		return switch (status) {
			case "delivered", "verified", "sent", "running", "active", "✓" -> green(status);
			case "bounced", "complained", "failed", "suppressed", "expired" -> red(status);
			default -> status;
		};
	}

	private String styled(int code, String text) {
		return (this.colored && !this.json && this.program.shows()) ? "\u001b[" + code + "m" + text + "\u001b[0m"
				: text;
	}

}
