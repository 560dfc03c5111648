package dev.mailroom.database;

import java.io.Serial;
import java.util.List;

/** The database could lose committed transactions in a crash. No app starts with it. */
public final class NotDurable extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	NotDurable(List<String> settings) {
		super(sentence(String.join(" and ", settings), (settings.size() == 1) ? " is" : " are"));
	}

	private static String sentence(String names, String are) {
		return "The database could lose committed transactions in a crash, because " + names + are + " off: set "
				+ names + " on in postgresql.conf, reset it for the role and the database, and start again.";
	}

}
