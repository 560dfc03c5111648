package dev.mailroom.bench;

import java.io.IOException;
import java.util.List;
import java.util.function.LongSupplier;

import dev.mailroom.process.Database;

/** CPU time of programs and the database, as counted by the kernel. */
public final class Meter {

	private final Database database;

	private final List<LongSupplier> programs;

	/**
	 * Creates a meter.
	 * @param programs CPU times in microseconds
	 */
	public Meter(Database database, LongSupplier... programs) {
		this.database = database;
		this.programs = List.of(programs);
	}

	public Reading read() throws IOException {
		return new Reading(this.programs.stream().mapToLong(LongSupplier::getAsLong).sum(), this.database.cpu());
	}

	/** CPU time since an earlier reading. */
	public Sample since(Reading before, long count, long nanos) throws IOException {
		Reading now = read();
		long database = now.database() - before.database();
		return new Sample(count, nanos, now.program() - before.program() + database, database);
	}

	/** CPU times in microseconds. */
	public record Reading(long program, long database) {
	}

}
