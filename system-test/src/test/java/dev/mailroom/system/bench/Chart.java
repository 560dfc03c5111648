package dev.mailroom.system.bench;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Bars of the rates of all rows, on a logarithmic scale, as SVG. */
final class Chart {

	private static final int LABELS = 280;

	private static final int BARS = 420;

	private static final int LINE = 26;

	private final List<Row> rows;

	Chart(Collection<Row> rows) {
		this.rows = List.copyOf(rows);
	}

	String svg() {
		StringBuilder svg = new StringBuilder("""
				<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="13">
				<title>Mails, commits and rows per second (logarithmic)</title>
				<rect width="100%%" height="100%%" fill="#ffffff"/>
				""".formatted(LABELS + BARS + 100, LINE * this.rows.size() + 10));
		double decades = Math.log10(this.rows.stream().mapToDouble(Row::rate).max().orElse(10));
		for (int i = 0; i < this.rows.size(); i++) {
			Row row = this.rows.get(i);
			double width = BARS * Math.max(0, Math.log10(row.rate())) / decades;
			int top = LINE * i + 8;
			svg.append(String.format(Locale.ROOT, """
					<text x="%d" y="%d" text-anchor="end" fill="#222222">%s</text>
					<rect x="%d" y="%d" width="%.1f" height="18" fill="%s"/>
					<text x="%.1f" y="%d" fill="#222222">%.0f/s</text>
					""", LABELS - 8, top + 14, row.name(), LABELS, top, width, color(row), LABELS + width + 6, top + 14,
					row.rate()));
		}
		return svg.append("</svg>\n").toString();
	}

	private static String color(Row row) {
		return (row.name().startsWith("pgbench") || row.name().startsWith("Postfix")) ? "#9aa5b1" : "#2f6fde";
	}

}
