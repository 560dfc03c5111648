package dev.mailroom.api.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import tools.jackson.databind.JsonNode;

/** Description of a schema in HTML. */
final class SchemaSection {

	private static final List<String> BOUNDS = List.of("minLength", "maxLength", "minimum", "maximum", "minItems",
			"maxItems", "maxProperties", "pattern", "default");

	private SchemaSection() {
	}

	/**
	 * The fields of an object as a list; for any other schema its type.
	 */
	static String of(JsonNode schema) {
		if (!schema.has("properties")) {
			return "<p class=\"type\">" + type(schema) + "</p>\n";
		}
		Set<String> required = schema.path("required")
			.valueStream()
			.map(JsonNode::stringValue)
			.collect(Collectors.toSet());
		String fields = schema.get("properties")
			.propertyStream()
			.map((field) -> field(field.getKey(), field.getValue(), required.contains(field.getKey())))
			.collect(Collectors.joining());
		return "<dl>\n" + fields + "</dl>\n";
	}

	private static String field(String name, JsonNode schema, boolean required) {
		String inner = schema.has("properties") ? of(schema) : "";
		return "<dt><code>%s</code> <span class=\"type\">%s%s</span></dt>\n<dd>%s%s</dd>\n"
			.formatted(Html.escaped(name), type(schema), required ? ", required" : "", description(schema), inner);
	}

	private static String description(JsonNode schema) {
		return Html.line(schema.path("description").asString(""));
	}

	/** The type of a value with its limits. */
	static String type(JsonNode schema) {
		if (schema.has("$ref")) {
			String reference = schema.get("$ref").stringValue();
			String name = reference.substring(reference.lastIndexOf('/') + 1);
			return "<a href=\"#schema-%s\">%s</a>".formatted(Html.anchor(name), Html.escaped(name));
		}
		for (String choice : List.of("oneOf", "anyOf")) {
			if (schema.has(choice) && !schema.has("properties")) {
				return schema.get(choice).valueStream().map(SchemaSection::type).collect(Collectors.joining(" or "));
			}
		}
		if (schema.has("const")) {
			return "<code>" + Html.escaped(schema.get("const").toString()) + "</code>";
		}
		if (schema.has("enum")) {
			return schema.get("enum")
				.valueStream()
				.map((value) -> "<code>" + Html.escaped(value.asString()) + "</code>")
				.collect(Collectors.joining(", "));
		}
		return plain(schema);
	}

	private static String plain(JsonNode schema) {
		JsonNode type = schema.path("type");
		String name = type.isArray() ? type.valueStream().map(JsonNode::asString).collect(Collectors.joining(" or "))
				: type.asString("anything");
		if (name.equals("array")) {
			name = "list of " + type(schema.path("items"));
		}
		List<String> bounds = new ArrayList<>();
		BOUNDS.stream()
			.filter(schema::has)
			.forEach((bound) -> bounds.add(bound + " " + Html.escaped(schema.get(bound).toString())));
		String format = schema.has("format") ? " (" + Html.escaped(schema.get("format").asString()) + ")" : "";
		return name + format + (bounds.isEmpty() ? "" : "; " + String.join(", ", bounds));
	}

}
