package dev.mailroom.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The table of goals and the table of figures, in Markdown. */
public final class Table {

	private final Measurements measurements;

	public Table(Measurements measurements) {
		this.measurements = measurements;
	}

	public String markdown() {
		List<String> lines = new ArrayList<>(
				List.of("| | goal | target | stretch | measured | lowest to highest | CPU µs per mail |",
						"|---|---|---|---|---|---|---|"));
		Goal.ALL.forEach((goal) -> lines.add(line(goal)));
		lines.addAll(List.of("", "| figure | median | lowest to highest | CPU µs each | of that PostgreSQL |",
				"|---|---|---|---|---|"));
		for (Figure figure : Figure.values()) {
			List<Measurements.Value> values = this.measurements.of(figure);
			if (!values.isEmpty()) {
				lines.add(line(figure, values));
			}
		}
		return String.join("\n", lines) + "\n";
	}

	private String line(Goal goal) {
		List<Double> measured = goal.measured(this.measurements);
		String bound = goal.atLeast() ? "≥ " : "≤ ";
		String stretch = Double.isNaN(goal.stretch()) ? "–" : bound + goal.text(goal.stretch());
		String begin = "| " + goal.id() + " | " + goal.text() + " | " + bound + goal.text(goal.target()) + " | "
				+ stretch + " | ";
		if (measured.isEmpty()) {
			return begin + "not measured: " + this.measurements.reason(goal) + " | – | – |";
		}
		double median = measured.get(measured.size() / 2);
		return begin + (goal.isReachedBy(median) ? "**" + goal.text(median) + "**" : goal.text(median)) + " | "
				+ goal.text(measured.getFirst()) + " to " + goal.text(measured.getLast()) + " | " + cpu(goal) + " |";
	}

	private String cpu(Goal goal) {
		Optional<String> own = cpu(goal.figure());
		Optional<String> other = goal.reference().flatMap(this::cpu);
		return own.map((micros) -> micros + other.map((reference) -> "; " + reference).orElse("")).orElse("–");
	}

	private Optional<String> cpu(Figure figure) {
		double median = median(this.measurements.of(figure).stream().map(Measurements.Value::cpu).sorted().toList());
		return Double.isNaN(median) ? Optional.empty() : Optional.of(number(median));
	}

	private static String line(Figure figure, List<Measurements.Value> values) {
		String unit = figure.unit().isEmpty() ? "" : " " + figure.unit();
		return "| " + figure.label() + " | " + number(median(values.stream().map(Measurements.Value::value).toList()))
				+ unit + " | " + number(values.getFirst().value()) + " to " + number(values.getLast().value()) + " | "
				+ number(median(values.stream().map(Measurements.Value::cpu).sorted().toList())) + " | "
				+ number(median(values.stream().map(Measurements.Value::databaseCpu).sorted().toList())) + " |";
	}

	private static double median(List<Double> sorted) {
		return sorted.isEmpty() ? Double.NaN : sorted.get(sorted.size() / 2);
	}

	/** A number with three significant digits, or all digits before the point. */
	static String number(double value) {
		double size = Math.abs(value);
		if (Double.isNaN(value)) {
			return "–";
		}
		return String
			.format(Locale.ROOT, (size >= 100 || size == Math.rint(size)) ? "%,.0f" : (size >= 10) ? "%.1f" : "%.2f",
					value)
			.replace(',', ' ');
	}

}
