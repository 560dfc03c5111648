package dev.mailroom.api.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Refusal;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.stereotype.Component;
import org.springframework.web.util.HtmlUtils;

/** The page behind an error's {@code docs_url}: what it means and what to do about it. */
@Component
class ErrorPages {

	private final Map<String, Entry> entries = read();

	/** The page of an error, or null where there is no such error. */
	@Nullable String page(String name) {
		Entry entry = this.entries.get(name);
		return (entry != null) ? entry.html() : null;
	}

	private static Map<String, Entry> read() {
		try {
			return new ClassPathResource("docs/errors.txt").getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.map(Entry::of)
				.collect(Collectors.toUnmodifiableMap(Entry::name, Function.identity()));
		}
		catch (IOException ex) {
			throw new IllegalStateException("docs/errors.txt cannot be read", ex);
		}
	}

	/** A line of the list: the status, the error, what it means and what to do. */
	private record Entry(String status, String error, String meaning, String advice) {

		static Entry of(String line) {
			String[] columns = line.split(" \\| ", 4);
			return new Entry(columns[0], columns[1], columns[2], columns[3]);
		}

		String name() {
			return Refusal.invalid(this.error).name();
		}

		String html() {
			return """
					<!doctype html>
					<html lang="en">
					<head>
					<meta charset="utf-8">
					<meta name="viewport" content="width=device-width, initial-scale=1">
					<title>%2$s - Mailroom</title>
					</head>
					<body>
					<main>
					<h1>%2$s</h1>
					<p><code>%1$s</code>, status %3$s</p>
					<p>%4$s</p>
					<h2>What to do</h2>
					<p>%5$s</p>
					</main>
					</body>
					</html>
					""".formatted(name(), escaped(this.error), escaped(this.status), escaped(this.meaning),
					escaped(this.advice));
		}

		private static String escaped(String text) {
			return HtmlUtils.htmlEscape(text, "UTF-8");
		}

	}

}
