package dev.mailroom.api.docs;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

/**
 * The OpenAPI document as an HTML page without scripts and external resources.
 */
final class ReferencePage {

	private final ApiDocument document;

	private final List<Entry> entries;

	ReferencePage(ApiDocument document) {
		this.document = document;
		this.entries = document.tree()
			.get("paths")
			.propertyStream()
			.flatMap((path) -> path.getValue()
				.propertyStream()
				.filter((method) -> method.getValue().has("operationId"))
				.map((method) -> Entry.of(document, path, method)))
			.toList();
	}

	String html() {
		JsonNode info = this.document.tree().get("info");
		return """
				<!doctype html>
				<html lang="en">
				<head>
				<meta charset="utf-8">
				<meta name="viewport" content="width=device-width, initial-scale=1">
				<title>%1$s API</title>
				<link rel="stylesheet" href="/docs/style.css">
				</head>
				<body>
				<nav aria-label="Operations">
				%2$s</nav>
				<main>
				<h1>%1$s API</h1>
				<p>%3$s Version %4$s, as <a href="/openapi.json">JSON</a> and <a href="/openapi.yaml">YAML</a>.</p>
				%5$s%6$s<h2 id="schemas">Schemas</h2>
				%7$s</main>
				</body>
				</html>
				""".formatted(Html.escaped(info.get("title").asString()), contents(),
				Html.line(info.get("summary").asString()), Html.escaped(info.get("version").asString()),
				Html.paragraphs(info.get("description").asString()), operations(), schemas());
	}

	private String contents() {
		return tags()
			.map((tag) -> "<h2><a href=\"#%s\">%s</a></h2>\n<ul>\n%s</ul>\n".formatted(Html.anchor(tag.name()),
					Html.escaped(tag.name()),
					of(tag)
						.map((entry) -> "<li><a href=\"#%s\">%s</a></li>\n".formatted(entry.id(),
								Html.line(entry.operation().path("summary").asString())))
						.collect(Collectors.joining())))
			.collect(Collectors.joining()) + "<h2><a href=\"#schemas\">Schemas</a></h2>\n";
	}

	private String operations() {
		OperationSection section = new OperationSection(this.document);
		return tags().map((tag) -> "<h2 id=\"%s\">%s</h2>\n%s%s".formatted(Html.anchor(tag.name()),
				Html.escaped(tag.name()), Html.paragraphs(tag.description()),
				of(tag).map((entry) -> section.html(entry.method(), entry.path(), entry.operation()))
					.collect(Collectors.joining())))
			.collect(Collectors.joining());
	}

	private String schemas() {
		return this.document.tree()
			.at("/components/schemas")
			.propertyStream()
			.map((schema) -> "<section id=\"schema-%s\">\n<h3>%s</h3>\n%s%s</section>\n".formatted(
					Html.anchor(schema.getKey()), Html.escaped(schema.getKey()),
					Html.paragraphs(schema.getValue().path("description").asString("")),
					SchemaSection.of(schema.getValue())))
			.collect(Collectors.joining());
	}

	private Stream<Tag> tags() {
		return this.document.tree()
			.get("tags")
			.valueStream()
			.map((tag) -> new Tag(tag.path("name").asString(), tag.path("description").asString("")));
	}

	private Stream<Entry> of(Tag tag) {
		return this.entries.stream()
			.filter((entry) -> entry.operation().path("tags").path(0).asString("").equals(tag.name()));
	}

	private record Tag(String name, String description) {
	}

	/** An operation with its method and its full path. */
	private record Entry(String method, String path, JsonNode operation) {

		static Entry of(ApiDocument document, Map.Entry<String, JsonNode> path, Map.Entry<String, JsonNode> method) {
			JsonNode servers = path.getValue().has("servers") ? path.getValue().get("servers")
					: document.tree().get("servers");
			String base = servers.path(0).path("url").asString("").replaceAll("/$", "");
			return new Entry(method.getKey().toUpperCase(Locale.ROOT), base + path.getKey(), method.getValue());
		}

		String id() {
			return Html.escaped(this.operation.path("operationId").asString());
		}

	}

}
