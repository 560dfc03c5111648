package dev.mailroom.system.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

import dev.mailroom.system.Database;
import dev.mailroom.system.Poll;

import static org.assertj.core.api.Assertions.assertThat;

/** Numbers of mails that were measured, to compare with the databases and the sink. */
final class MailCount {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private long accepted;

	private long delivered;

	private long relayed;

	Sample accepted(Sample sample) {
		this.accepted += sample.count();
		return sample;
	}

	Sample delivered(Sample sample) {
		this.delivered += sample.count();
		return sample;
	}

	/** Counts mails of another program that used the same sink. */
	Sample relayed(Sample sample) {
		this.relayed += sample.count();
		return sample;
	}

	/**
	 * Fails unless every accepted mail is in its database, and every delivered one is
	 * settled and arrived at the sink once.
	 */
	void compare(Database database, String accepting, String delivering, Sink sink) throws Exception {
		assertThat(count(database, accepting, "true")).as("accepted mails in the database").isEqualTo(this.accepted);
		Poll.until(TIMEOUT, () -> count(database, delivering, "status = 'pending'") == 0);
		assertThat(count(database, delivering, "status = 'delivered'")).as("delivered mails in the database")
			.isEqualTo(this.delivered);
		assertThat(sink.accepted()).as("mails at the sink").isEqualTo(this.delivered + this.relayed);
	}

	private static long count(Database database, String name, String condition) throws SQLException {
		try (Connection connection = database.connect(name);
				Statement statement = connection.createStatement();
				ResultSet result = statement.executeQuery(
						"select count(*) from email where subject = 'Your order has left' and " + condition)) {
			result.next();
			return result.getLong(1);
		}
	}

}
