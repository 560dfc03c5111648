package dev.mailroom.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

import dev.mailroom.bench.Sample;

/**
 * Measured values in a CSV file to which several runs may append. Values of different
 * runs are never compared with each other.
 */
public final class Measurements {

	private static final String HEADER = "run,round,figure,value,cpu_micros_each,database_micros_each,note";

	private static final int COLUMNS = 7;

	private final Path file;

	/** Time at which this run began; names it. */
	private final String run;

	private final List<Value> values;

	/**
	 * Opens a file, which may have the values of earlier runs. One with other columns is
	 * replaced.
	 */
	public Measurements(Path file, String run) throws IOException {
		this.file = file;
		this.run = run;
		this.values = new ArrayList<>();
		List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
		if (lines.isEmpty() || !lines.getFirst().equals(HEADER)) {
			Files.writeString(file, HEADER + "\n");
		}
		else {
			lines.stream().skip(1).map(Measurements::parse).forEach(this.values::add);
		}
	}

	/** Adds a value without CPU time. */
	public void add(Figure figure, int round, double value) throws IOException {
		add(new Value(this.run, round, figure, value, Double.NaN, Double.NaN, ""));
	}

	/** Adds the rate of a sample with its CPU times. */
	public void add(Figure figure, int round, Sample sample) throws IOException {
		add(new Value(this.run, round, figure, sample.perSecond(), sample.cpuEach(), sample.databaseCpuEach(), ""));
	}

	/** Records why a figure was not measured. */
	public void missing(Figure figure, String reason) throws IOException {
		add(new Value(this.run, 0, figure, Double.NaN, Double.NaN, Double.NaN,
				reason.lines().findFirst().orElse("no reason")));
	}

	private synchronized void add(Value value) throws IOException {
		this.values.add(value);
		Files.writeString(
				this.file, String.format(Locale.ROOT, "%s,%d,%s,%.4f,%.1f,%.1f,%s%n", value.run, value.round,
						value.figure, value.value, value.cpu, value.databaseCpu, value.note),
				StandardOpenOption.APPEND);
	}

	private static Value parse(String line) {
		String[] parts = line.split(",", COLUMNS);
		return new Value(parts[0], Integer.parseInt(parts[1]), Figure.valueOf(parts[2]), Double.parseDouble(parts[3]),
				Double.parseDouble(parts[4]), Double.parseDouble(parts[5]), parts[6]);
	}

	/** Values of the last run that measured a figure, ordered by value. */
	List<Value> of(Figure figure) {
		return pairs(figure, Optional.empty()).stream()
			.map(Pair::figure)
			.sorted(Comparator.comparingDouble(Value::value))
			.toList();
	}

	/**
	 * Values of a figure in each round, with those of its reference, from the last run
	 * that measured both. A reference that is measured in fewer rounds or more is paired
	 * by its median.
	 */
	List<Pair> pairs(Figure figure, Optional<Figure> reference) {
		for (String each : this.values.stream().map(Value::run).distinct().toList().reversed()) {
			List<Value> measured = in(each, figure);
			List<Value> compared = reference.map((other) -> in(each, other)).orElse(measured);
			if (!measured.isEmpty() && !compared.isEmpty()) {
				return measured.stream().map((value) -> new Pair(value, partner(value, compared))).toList();
			}
		}
		return List.of();
	}

	private List<Value> in(String name, Figure figure) {
		return this.values.stream()
			.filter((value) -> value.run.equals(name) && value.figure == figure)
			.filter(Predicate.not(Value::isMissing))
			.toList();
	}

	private static Value partner(Value value, List<Value> compared) {
		return compared.stream().filter((other) -> other.round == value.round).findFirst().orElseGet(() -> {
			List<Value> sorted = compared.stream().sorted(Comparator.comparingDouble(Value::value)).toList();
			return sorted.get(sorted.size() / 2);
		});
	}

	/** Last reason why one of the figures was not measured. */
	String reason(Goal goal) {
		List<Figure> figures = goal.figures().toList();
		return this.values.stream()
			.filter((value) -> value.isMissing() && figures.contains(value.figure))
			.map(Value::note)
			.reduce((_, last) -> last)
			.orElse("not selected");
	}

	/**
	 * A line of the file.
	 *
	 * @param round number of the round from 1; 0 for a figure that was not measured
	 * @param cpu CPU microseconds per mail, with the database; NaN if not measured
	 * @param databaseCpu part of it used by PostgreSQL
	 * @param note reason why the figure was not measured; empty otherwise
	 */
	record Value(String run, int round, Figure figure, double value, double cpu, double databaseCpu, String note) {

		boolean isMissing() {
			return !this.note.isEmpty();
		}

	}

	/** Values of the same round. */
	record Pair(Value figure, Value reference) {
	}

}
