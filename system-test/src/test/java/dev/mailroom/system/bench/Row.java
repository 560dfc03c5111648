package dev.mailroom.system.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A row of the report: a measured operation and its samples. */
final class Row {

	private final String name;

	private final Round round;

	private final List<Sample> samples = new ArrayList<>();

	Row(String name, Round round) {
		this.name = name;
		this.round = round;
	}

	String name() {
		return this.name;
	}

	void warmUp() throws Exception {
		this.round.run();
	}

	void measure() throws Exception {
		Sample sample = this.round.run();
		this.samples.add(sample);
		System.out.printf("  %-34s %10.0f /s %8.0f us, %5.0f of them in the database%n", this.name, sample.perSecond(),
				sample.cpuEach(), sample.databaseCpuEach());
	}

	double rate() {
		return median(Sample::perSecond);
	}

	double cpu() {
		return median(Sample::cpuEach);
	}

	double databaseCpu() {
		return median(Sample::databaseCpuEach);
	}

	double lowest() {
		return this.samples.stream().mapToDouble(Sample::perSecond).min().orElse(0);
	}

	double highest() {
		return this.samples.stream().mapToDouble(Sample::perSecond).max().orElse(0);
	}

	private double median(ToDoubleFunction<Sample> value) {
		double[] sorted = this.samples.stream().mapToDouble(value).sorted().toArray();
		return (sorted.length == 0) ? Double.NaN : sorted[sorted.length / 2];
	}

	/** One round of the operation. */
	interface Round {

		Sample run() throws Exception;

	}

}
