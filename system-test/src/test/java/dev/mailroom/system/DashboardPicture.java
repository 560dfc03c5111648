package dev.mailroom.system;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/** A dashboard of Grafana drawn as SVG from the answers of a Prometheus server. */
final class DashboardPicture {

	private static final int COLUMN = 50;

	private static final int ROW = 28;

	private static final int LEFT = 56;

	private static final int TOP = 34;

	private static final int BOTTOM = 44;

	private static final int MAX_LEGEND = 6;

	private static final List<String> COLOURS = List.of("#3274d9", "#e0752d", "#37872d", "#c4162a", "#8f3bb8",
			"#b38600", "#1f9e9e", "#6b7280");

	private static final Pattern LABEL = Pattern.compile("\\{\\{(\\w+)}}");

	private final StringBuilder svg = new StringBuilder();

	private final Answers answers;

	private DashboardPicture(Answers answers) {
		this.answers = answers;
	}

	/** Draws all panels at their places. */
	static String of(JsonNode dashboard, Answers answers) throws Exception {
		DashboardPicture picture = new DashboardPicture(answers);
		int height = 0;
		for (JsonNode panel : dashboard.get("panels")) {
			picture.draw(panel);
			height = Math.max(height, panel.at("/gridPos/y").asInt() + panel.at("/gridPos/h").asInt());
		}
		return """
				<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" font-family="sans-serif" font-size="11">
				<title>%3$s</title><rect width="%1$d" height="%2$d" fill="#f4f5f5"/>
				%4$s</svg>
				""".formatted(24 * COLUMN, height * ROW, escaped(dashboard.get("title").asString()), picture.svg);
	}

	/**
	 * Expression of a target for all pods of an installation without labels of its place.
	 */
	static String expression(JsonNode target) {
		return target.get("expr")
			.asString()
			.replace("$__rate_interval", "1m")
			.replace("$pod", ".*")
			.replaceAll("\\$(cluster|namespace)", "");
	}

	private void draw(JsonNode panel) throws Exception {
		JsonNode grid = panel.get("gridPos");
		int width = grid.get("w").asInt() * COLUMN - 8;
		int height = grid.get("h").asInt() * ROW - 8;
		add("<g transform=\"translate(%d %d)\">".formatted(grid.get("x").asInt() * COLUMN + 4,
				grid.get("y").asInt() * ROW + 4));
		String type = panel.get("type").asString();
		if (!type.equals("row")) {
			add("<rect width=\"%d\" height=\"%d\" rx=\"3\" fill=\"#fff\" stroke=\"#d8d9da\"/>".formatted(width,
					height));
		}
		add("<text x=\"10\" y=\"18\" font-weight=\"bold\">%s</text>".formatted(escaped(panel.get("title").asString())));
		List<Series> series = series(panel);
		String unit = panel.at("/fieldConfig/defaults/unit").asString("short");
		if (type.equals("stat")) {
			String value = series.isEmpty() ? "–" : text(series.getFirst().last(), unit);
			add("<text x=\"%d\" y=\"%d\" font-size=\"30\" text-anchor=\"middle\">%s</text>".formatted(width / 2,
					height / 2 + 16, value));
		}
		else if (!type.equals("row") && !type.equals("alertlist")) {
			chart(series, unit, width, height);
		}
		add("</g>");
	}

	private List<Series> series(JsonNode panel) throws Exception {
		List<Series> all = new ArrayList<>();
		for (JsonNode target : panel.path("targets")) {
			String expression = expression(target);
			for (JsonNode result : this.answers.range(expression)) {
				List<double[]> points = new ArrayList<>();
				for (JsonNode point : result.get("values")) {
					double value = Double.parseDouble(point.get(1).asString());
					if (Double.isFinite(value)) {
						points.add(new double[] { point.get(0).asDouble(), value });
					}
				}
				if (!points.isEmpty()) {
					all.add(new Series(name(target.path("legendFormat").asString(""), result.get("metric")), points));
				}
			}
		}
		return all;
	}

	private static String name(String format, JsonNode labels) {
		return LABEL.matcher(format)
			.replaceAll((MatchResult label) -> labels.path(label.group(1)).asString("").replace("$", "\\$"));
	}

	private void chart(List<Series> series, String unit, int width, int height) {
		if (series.isEmpty()) {
			add("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"#777\">no data</text>".formatted(width / 2,
					height / 2));
			return;
		}
		double max = Math.max(1e-9, series.stream().mapToDouble(Series::max).max().orElse(0));
		double begin = series.stream().mapToDouble((line) -> line.points().getFirst()[0]).min().orElse(0);
		double end = series.stream().mapToDouble((line) -> line.points().getLast()[0]).max().orElse(1);
		int down = height - BOTTOM;
		for (int i = 0; i <= 2; i++) {
			int y = down - i * (down - TOP) / 2;
			add("<path d=\"M%d %dH%d\" stroke=\"#e4e4e4\"/>".formatted(LEFT, y, width - 10));
			add("<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#555\">%s</text>".formatted(LEFT - 6, y + 4,
					text(max * i / 2, unit)));
		}
		for (int i = 0; i < series.size(); i++) {
			StringBuilder points = new StringBuilder();
			for (double[] point : series.get(i).points()) {
				points.append(String.format(Locale.ROOT, "%.1f,%.1f ",
						LEFT + (point[0] - begin) / Math.max(1, end - begin) * (width - 10 - LEFT),
						down - point[1] / max * (down - TOP)));
			}
			add("<polyline points=\"%s\" fill=\"none\" stroke-width=\"1.5\" stroke=\"%s\"/>"
				.formatted(points.toString().strip(), COLOURS.get(i % COLOURS.size())));
			legend(series.get(i).name(), i, width, height);
		}
	}

	private void legend(String name, int index, int width, int height) {
		if (index < MAX_LEGEND) {
			int cell = (width - 20) / 3;
			int x = 10 + index % 3 * cell;
			int y = height - 26 + index / 3 * 16;
			add("<rect x=\"%d\" y=\"%d\" width=\"9\" height=\"3\" fill=\"%s\"/>".formatted(x, y - 4,
					COLOURS.get(index % COLOURS.size())));
			add("<text x=\"%d\" y=\"%d\" fill=\"#333\">%s</text>".formatted(x + 13, y,
					escaped(name.substring(0, Math.min(name.length(), cell / 7)))));
		}
	}

	private static String text(double value, String unit) {
		return switch (unit) {
			case "percentunit" -> number(value * 100) + " %";
			case "s" -> (value < 1) ? number(value * 1000) + " ms" : number(value) + " s";
			case "bytes" -> number(value / (1 << 20)) + " MiB";
			default -> number(value);
		};
	}

	private static String number(double value) {
		String text = String.format(Locale.ROOT, (value >= 100) ? "%.0f" : (value >= 0.1) ? "%.2f" : "%.4f", value);
		return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
	}

	private static String escaped(String text) {
		return text.replace("&", "&amp;").replace("<", "&lt;");
	}

	private void add(String element) {
		this.svg.append(element).append('\n');
	}

	/** Answers of the server. */
	interface Answers {

		/** The series of an expression over the last minutes. */
		JsonNode range(String expression) throws Exception;

	}

	private record Series(String name, List<double[]> points) {

		double last() {
			return this.points.getLast()[1];
		}

		double max() {
			return this.points.stream().mapToDouble((point) -> point[1]).max().orElse(0);
		}

	}

}
