package dev.mailroom.bench;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.mailroom.process.Database;

/** CPU time of programs and the database, as counted by the kernel. */
public final class Meter {

	private final Database database;

	private final Map<String, LongSupplier> programs;

	/**
	 * Creates a meter.
	 * @param programs CPU times in microseconds by name of the program
	 */
	public Meter(Database database, Map<String, LongSupplier> programs) {
		this.database = database;
		this.programs = Map.copyOf(programs);
	}

	public Reading read() throws IOException {
		Map<String, Long> micros = new HashMap<>(Map.of(Sample.DATABASE, this.database.cpu()));
		this.programs.forEach((name, cpu) -> micros.put(name, cpu.getAsLong()));
		return new Reading(micros);
	}

	/** CPU time since an earlier reading. */
	public Sample since(Reading before, long count, long nanos) throws IOException {
		Map<String, Long> micros = new HashMap<>(read().micros());
		before.micros().forEach((name, earlier) -> micros.merge(name, -earlier, Long::sum));
		return new Sample(count, nanos, micros);
	}

	/** CPU times in microseconds by name of the program. */
	public record Reading(Map<String, Long> micros) {
	}

}
