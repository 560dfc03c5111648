package dev.mailroom.database;

import java.io.Serial;
import java.util.List;

/** The database could lose committed transactions in a crash. No app starts with it. */
public final class NotDurable extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	private NotDurable(String message) {
		super(message);
	}

	/** The refusal of settings that are off. */
	static NotDurable off(List<String> settings) {
		String names = String.join(" and ", settings);
		return new NotDurable("The database could lose committed transactions in a crash, because " + names
				+ ((settings.size() == 1) ? " is" : " are") + " off: set " + names
				+ " on in postgresql.conf, reset it for the role and the database, and start again.");
	}

	/** The refusal of commits that too few standbys confirm. */
	static NotDurable replicas(int needed, String commit, String standbys) {
		return new NotDurable("The database could lose committed transactions in a failover: MAILROOM_DB_SYNC_REPLICAS"
				+ " is " + needed + ", and the primary has synchronous_commit = " + commit
				+ " and synchronous_standby_names = '" + standbys + "'. Set synchronous_commit to on or remote_apply,"
				+ " and let synchronous_standby_names wait for as many standbys, as 'ANY " + needed + " (*)' does.");
	}

}
