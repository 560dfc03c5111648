package dev.mailroom.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Bars as SVG: all rates on a logarithmic scale, and the share of each target that was
 * reached.
 */
public final class Chart {

	private static final int LABELS = 340;

	private static final int BARS = 420;

	private static final int LINE = 24;

	private static final String OWN = "#2f6fde";

	private static final String REFERENCE = "#9aa5b1";

	/** Share of a target at the end of its scale. */
	private static final double MAX_SHARE = 2;

	private final Measurements measurements;

	public Chart(Measurements measurements) {
		this.measurements = measurements;
	}

	public String svg() {
		List<Bar> rates = rates();
		List<Bar> shares = shares();
		int height = LINE * (rates.size() + shares.size() + 3) + 10;
		StringBuilder svg = new StringBuilder("""
				<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">
				<title>Rates of the benchmark, and its goals</title>
				<rect width="100%%" height="100%%" fill="#ffffff"/>
				""".formatted(LABELS + BARS + 130, height));
		int top = draw(svg, "Per second (logarithmic)", rates, 0);
		int goals = draw(svg, "Share of the target that was reached, up to twice (line: the target)", shares,
				top + LINE);
		if (!shares.isEmpty()) {
			double x = LABELS + BARS / MAX_SHARE;
			svg.append(String.format(Locale.ROOT,
					"<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#222222\" stroke-dasharray=\"4 3\"/>%n",
					x, top + 2 * LINE, x, goals));
		}
		return svg.append("</svg>\n").toString();
	}

	private List<Bar> rates() {
		List<Figure> measured = Arrays.stream(Figure.values())
			.filter((figure) -> figure.unit().equals("/s") && median(figure) >= 1)
			.toList();
		double decades = measured.stream().mapToDouble((figure) -> Math.log10(median(figure))).max().orElse(1);
		return measured.stream()
			.map((figure) -> new Bar(figure.label(), Math.log10(median(figure)) / decades,
					Table.number(median(figure)) + "/s", figure.isReference() ? REFERENCE : OWN))
			.toList();
	}

	private double median(Figure figure) {
		List<Measurements.Value> values = this.measurements.of(figure);
		return values.isEmpty() ? 0 : values.get(values.size() / 2).value();
	}

	private List<Bar> shares() {
		List<Bar> bars = new ArrayList<>();
		for (Goal goal : Goal.ALL) {
			List<Double> measured = goal.measured(this.measurements);
			if (!measured.isEmpty()) {
				double median = measured.get(measured.size() / 2);
				double share = goal.atLeast() ? median / goal.target() : goal.target() / Math.max(median, 1e-9);
				bars.add(new Bar(goal.id() + " " + goal.text(), Math.min(share, MAX_SHARE) / MAX_SHARE,
						goal.text(median), goal.isReachedBy(median) ? OWN : REFERENCE));
			}
		}
		return bars;
	}

	/** Draws bars under a heading and returns the height at which they end. */
	private static int draw(StringBuilder svg, String heading, List<Bar> bars, int from) {
		int top = from + LINE;
		svg.append(
				"<text x=\"8\" y=\"%d\" fill=\"#222222\" font-weight=\"bold\">%s</text>%n".formatted(top - 7, heading));
		for (Bar bar : bars) {
			double width = BARS * Math.clamp(bar.share, 0, 1);
			svg.append(String.format(Locale.ROOT, """
					<text x="%d" y="%d" text-anchor="end" fill="#222222">%s</text>
					<rect x="%d" y="%d" width="%.1f" height="16" fill="%s"/>
					<text x="%.1f" y="%d" fill="#222222">%s</text>
					""", LABELS - 8, top + 13, bar.label, LABELS, top, width, bar.color, LABELS + width + 6, top + 13,
					bar.text));
			top += LINE;
		}
		return top;
	}

	/**
	 * A bar.
	 *
	 * @param share length of the bar, from 0 to 1
	 * @param text value behind the bar
	 */
	private record Bar(String label, double share, String text, String color) {
	}

}
