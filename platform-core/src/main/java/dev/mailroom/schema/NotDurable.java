package dev.mailroom.schema;

import java.io.Serial;
import java.util.List;

/** Why no app starts: the database would lose in a crash what it has confirmed. */
public final class NotDurable extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	NotDurable(List<String> settings) {
		super(sentence(String.join(" and ", settings), (settings.size() == 1) ? " is" : " are"));
	}

	private static String sentence(String names, String are) {
		return "The database would lose in a crash what it has confirmed, because " + names + are + " off: set " + names
				+ " on in postgresql.conf, take back what is set for the role or the database, and start again.";
	}

}
