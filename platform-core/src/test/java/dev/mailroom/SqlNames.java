package dev.mailroom;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names in SQL text that may denote tables, views or functions: identifiers after
 * {@code from}, {@code join}, {@code update}, {@code into}, {@code using} and
 * {@code table}, in lists after {@code from} and {@code using}, and before an opening
 * parenthesis. Aliases, common table expressions and columns in the same place are
 * included; callers intersect the result with the names that exist.
 */
final class SqlNames {

	/** Stands for a part of the statement that is inserted when the program runs. */
	static final String PLACEHOLDER = "%s";

	private static final Pattern TOKEN = Pattern
		.compile("--[^\\n]*|'(?:[^']|'')*'|:?[A-Za-z_][A-Za-z0-9_.]*|%(?:\\d+\\$)?s|\\x01|[(),]");

	/** Comments and literals. */
	private static final Pattern NO_CODE = Pattern.compile("--[^\\n]*|'(?:[^']|'')*'");

	private static final Pattern CHANGE = Pattern
		.compile("\\b(?:insert\\s+into|merge\\s+into|(?<!for )(?<!do )update)\\s+(?:only\\s+)?([a-z_][a-z0-9_]*)");

	private static final Pattern DELETION = Pattern
		.compile("\\b(?:delete\\s+from|truncate(?:\\s+table)?)\\s+(?:only\\s+)?([a-z_][a-z0-9_]*)");

	private static final Set<String> BEFORE_TABLE = Set.of("from", "join", "update", "into", "using", "table");

	private static final Set<String> LISTS = Set.of("from", "using");

	private static final Set<String> ENDS_LIST = Set.of("where", "group", "order", "limit", "returning", "set", "union",
			"having", "for", "select", "window", "offset");

	private static final Set<String> SKIPPED = Set.of("only", "lateral", "if", "exists", "as");

	private final Set<String> names = new LinkedHashSet<>();

	private final Deque<Boolean> lists = new ArrayDeque<>();

	private boolean inList;

	private boolean expectsTable;

	private String last = "";

	private SqlNames() {
	}

	/** The names in a statement or in a part of one. */
	static Set<String> in(String sql) {
		SqlNames reader = new SqlNames();
		Matcher tokens = TOKEN.matcher(sql);
		while (tokens.find()) {
			reader.read(tokens.group());
		}
		return reader.names;
	}

	/** The tables into which a statement inserts rows, or whose rows it updates. */
	static Set<String> changedBy(String sql) {
		return matches(CHANGE, sql);
	}

	/** The tables from which a statement deletes rows. */
	static Set<String> deletedFromBy(String sql) {
		return matches(DELETION, sql);
	}

	private static Set<String> matches(Pattern clause, String sql) {
		Set<String> names = new LinkedHashSet<>();
		Matcher matcher = clause.matcher(NO_CODE.matcher(sql).replaceAll(" "));
		while (matcher.find()) {
			names.add(matcher.group(1));
		}
		return names;
	}

	private void read(String token) {
		switch (token.charAt(0)) {
			case '\'', '-', ':' -> this.expectsTable = false;
			case '(' -> open();
			case ')' -> close();
			case ',' -> this.expectsTable = this.inList;
			default -> word(token.equals("\1") ? PLACEHOLDER : token.replaceFirst("%.*", PLACEHOLDER));
		}
		this.last = token;
	}

	private void open() {
		if (this.last.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
			this.names.add(this.last);
		}
		this.lists.push(this.inList);
		this.inList = false;
		this.expectsTable = false;
	}

	private void close() {
		this.inList = !this.lists.isEmpty() && this.lists.pop();
		this.expectsTable = false;
	}

	private void word(String word) {
		if (BEFORE_TABLE.contains(word) && !this.last.equals("distinct")) {
			this.expectsTable = true;
			this.inList = this.inList || LISTS.contains(word);
		}
		else if (ENDS_LIST.contains(word)) {
			this.inList = false;
			this.expectsTable = false;
		}
		else if (this.expectsTable && !SKIPPED.contains(word)) {
			this.names.add(word);
			this.expectsTable = false;
		}
	}

}
