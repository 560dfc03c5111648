package dev.mailroom.system.bench;

import java.io.IOException;

import dev.mailroom.system.Database;
import dev.mailroom.system.Program;

/** CPU time of a program and the database. */
final class Meter {

	private final Program program;

	private final Database database;

	Meter(Program program, Database database) {
		this.program = program;
		this.database = database;
	}

	Reading read() throws IOException {
		return new Reading(this.program.cpu(), this.database.cpu());
	}

	/** CPU time since an earlier reading. */
	Sample since(Reading before, long count, long nanos) throws IOException {
		Reading now = read();
		long database = now.database() - before.database();
		return new Sample(count, nanos, now.program() - before.program() + database, database);
	}

	/** CPU times in microseconds. */
	record Reading(long program, long database) {
	}

}
