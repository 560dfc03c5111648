package dev.mailroom.api.docs;

import java.util.Map;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/**
 * Section of the page about one operation: credential, parameters, body and responses.
 */
final class OperationSection {

	private final ApiDocument document;

	OperationSection(ApiDocument document) {
		this.document = document;
	}

	String html(String method, String path, JsonNode operation) {
		return """
				<section id="%s">
				<h3><span class="method">%s</span> <code>%s</code></h3>
				<p class="summary">%s</p>
				%s<p class="credential">%s</p>
				%s%s%s</section>
				""".formatted(Html.escaped(operation.path("operationId").asString()), method, Html.escaped(path),
				Html.line(operation.path("summary").asString()),
				Html.paragraphs(operation.path("description").asString("")), credential(operation),
				parameters(operation.path("parameters")), body(operation.path("requestBody")),
				responses(operation.path("responses")));
	}

	private static String credential(JsonNode operation) {
		String permission = Html.escaped(operation.path("x-permission").asString(""));
		return switch (operation.path("x-credential").asString()) {
			case "none" -> "Requires no credential.";
			case "key" -> "Requires an API key with the permission <code>" + permission + "</code>.";
			case "either" ->
				"Requires an access token, or an API key with the permission <code>" + permission + "</code>.";
			default -> "Requires an access token.";
		};
	}

	private String parameters(JsonNode parameters) {
		if (parameters.isEmpty()) {
			return "";
		}
		return "<h4>Parameters</h4>\n<dl>\n" + parameters.valueStream()
			.map(this.document::resolved)
			.map((it) -> "<dt><code>%s</code> <span class=\"type\">in the %s, %s</span></dt>\n<dd>%s</dd>\n".formatted(
					Html.escaped(it.path("name").asString()), it.path("in").asString(),
					SchemaSection.type(it.path("schema")), Html.line(it.path("description").asString(""))))
			.collect(Collectors.joining()) + "</dl>\n";
	}

	private static String body(JsonNode body) {
		if (body.isMissingNode()) {
			return "";
		}
		return "<h4>Body</h4>\n" + Html.paragraphs(body.path("description").asString("")) + content(body);
	}

	private String responses(JsonNode responses) {
		return responses.propertyStream().map(this::response).collect(Collectors.joining());
	}

	private String response(Map.Entry<String, JsonNode> entry) {
		JsonNode response = this.document.resolved(entry.getValue());
		if (!entry.getKey().startsWith("2")) {
			return refusal(entry.getKey(), response);
		}
		return "<h4>%s</h4>\n%s%s".formatted(entry.getKey(), Html.paragraphs(response.path("description").asString("")),
				content(response));
	}

	/** Lists the errors of a status, each with a link to its page. */
	private static String refusal(String status, JsonNode response) {
		JsonNode examples = response.path("content").path("application/json").path("examples");
		return "<p class=\"refusal\">%s %s</p>\n".formatted(status,
				examples.propertyStream()
					.map((it) -> "<a href=\"/docs/errors/%s\">%s</a>".formatted(Html.escaped(it.getKey()),
							Html.escaped(it.getValue().path("summary").asString())))
					.collect(Collectors.joining(", ")));
	}

	private static String content(JsonNode message) {
		return message.path("content").propertyStream().map((media) -> {
			JsonNode example = media.getValue().path("example");
			String text = example.isString() ? example.stringValue() : example.toPrettyString();
			return "<p class=\"type\">%s</p>\n%s%s".formatted(Html.escaped(media.getKey()),
					SchemaSection.of(media.getValue().path("schema")),
					example.isMissingNode() ? "" : "<pre>" + Html.escaped(text) + "</pre>\n");
		}).collect(Collectors.joining());
	}

}
