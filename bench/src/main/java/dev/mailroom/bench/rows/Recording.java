package dev.mailroom.bench.rows;

import java.io.IOException;
import java.util.Set;

import dev.mailroom.bench.Sample;
import dev.mailroom.bench.report.Figure;
import dev.mailroom.bench.report.Measurements;

/** Values of a round, which are printed and stored. */
final class Recording implements Section.Recorder {

	/** Drops all values: for the warm-up. */
	static final Section.Recorder NONE = new Section.Recorder() {

		@Override
		public void add(Figure figure, double value) {
		}

		@Override
		public void add(Figure figure, Sample sample) {
		}

		@Override
		public void missing(Set<Figure> figures, String reason) {
		}

	};

	private final Measurements measurements;

	private final int round;

	Recording(Measurements measurements, int round) {
		this.measurements = measurements;
		this.round = round;
	}

	@Override
	public void add(Figure figure, double value) throws IOException {
		System.out.printf("  %-22s %12.2f%n", figure, value);
		this.measurements.add(figure, this.round, value);
	}

	@Override
	public void add(Figure figure, Sample sample) throws IOException {
		System.out.printf("  %-22s %12.0f/s %8.0f us each: %s%n", figure, sample.perSecond(), sample.cpuEach(),
				sample.cpuOfEach());
		this.measurements.add(figure, this.round, sample);
	}

	@Override
	public void missing(Set<Figure> figures, String reason) throws IOException {
		for (Figure figure : figures) {
			this.measurements.missing(figure, reason);
		}
	}

}
