package dev.mailroom.move;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table of an account, as the function {@code copied_tables} describes it.
 *
 * @param owner the column with the account, or with a person of the account
 * @param key the columns by which a row is found
 * @param uniqueKey whether an index of the whole table makes the key unique
 * @param ahead whether the table is copied while the account still works
 * @param log whether rows are only added
 */
record CopiedTable(String name, String owner, List<String> key, boolean uniqueKey, List<String> columns, boolean ahead,
		boolean log) {

	/** The columns of the key, as one list. */
	String keys() {
		return list(this.key);
	}

	/**
	 * The statement that inserts the rows of the temporary table {@code incoming}. Rows
	 * that exist are replaced, except those of a log.
	 */
	String insert() {
		String insert = "insert into " + quoted(this.name) + " (" + list(this.columns) + ") select "
				+ list(this.columns) + " from " + incoming();
		if (!this.uniqueKey) {
			return insert;
		}
		String changes = this.columns.stream()
			.filter((column) -> !this.key.contains(column))
			.map((column) -> quoted(column) + " = excluded." + quoted(column))
			.collect(Collectors.joining(", "));
		return insert + " on conflict (" + keys() + ") do "
				+ ((changes.isEmpty() || this.log) ? "nothing" : "update set " + changes);
	}

	/** Whether it is the table of the accounts themselves, to which others refer. */
	boolean isAccounts() {
		return this.owner.equals("id");
	}

	String incoming() {
		return quoted("incoming_" + this.name);
	}

	static String list(List<String> names) {
		return names.stream().map(CopiedTable::quoted).collect(Collectors.joining(", "));
	}

	static String quoted(String name) {
		return '"' + name + '"';
	}

}
