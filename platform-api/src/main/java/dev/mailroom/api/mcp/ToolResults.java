package dev.mailroom.api.mcp;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import dev.mailroom.api.docs.ApiDocument;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

/**
 * The schemas of the tools' results: members and types of the responses of their routes,
 * without descriptions. The OpenAPI document is read at the first use.
 */
@Component
class ToolResults {

	private final McpTools tools;

	private final ApiDocument document;

	private final SingletonSupplier<Map<String, Map<String, Object>>> schemas = SingletonSupplier.of(this::read);

	ToolResults(McpTools tools, ApiDocument document) {
		this.tools = tools;
		this.document = document;
	}

	/** The schema of a tool's results, by the name of the tool. */
	Map<String, Object> schema(String tool) {
		return this.schemas.obtain().getOrDefault(tool, Map.of("type", "object"));
	}

	private Map<String, Map<String, Object>> read() {
		JsonNode root = JsonMapper.shared().readTree(this.document.json());
		return this.tools.all().stream().collect(Collectors.toMap(McpTool::name, (tool) -> schema(root, tool)));
	}

	private static Map<String, Object> schema(JsonNode root, McpTool tool) {
		UnaryOperator<String> names = McpTools.names(tool);
		Map<String, Object> members = new LinkedHashMap<>();
		for (String result : tool.results()) {
			String[] parts = result.split(" ", 3);
			JsonNode response = response(root, parts[0], parts[1]);
			JsonNode all = response.path("properties");
			JsonNode data = resolved(root, all.path("data")).path("properties");
			members(root, data.isObject() ? data : all, names).forEach((name, schema) -> {
				if (parts.length == 2 || parts[2].equals(name)) {
					members.putIfAbsent(name, schema);
				}
			});
		}
		return Map.of("type", "object", "properties", members);
	}

	/** The schema of the successful response of a route. */
	private static JsonNode response(JsonNode root, String method, String route) {
		String shape = shape(route);
		JsonNode responses = root.path("paths")
			.propertyStream()
			.filter((path) -> shape(path.getKey()).equals(shape))
			.map((path) -> path.getValue().path(method.toLowerCase(Locale.ROOT)).path("responses"))
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("There is no route " + route));
		JsonNode response = responses.has("200") ? responses.path("200") : responses.path("201");
		return resolved(root, response.at("/content/application~1json/schema"));
	}

	private static String shape(String route) {
		return route.replaceAll("\\{\\w+}", "{}").replaceAll("\\?.*", "");
	}

	private static Map<String, Object> members(JsonNode root, JsonNode properties, UnaryOperator<String> names) {
		Map<String, Object> members = new LinkedHashMap<>();
		properties.properties()
			.forEach((member) -> members.put(names.apply(member.getKey()), reduced(root, member.getValue(), names)));
		return members;
	}

	private static Map<String, Object> reduced(JsonNode root, JsonNode schema, UnaryOperator<String> names) {
		JsonNode node = resolved(root, schema);
		Map<String, Object> reduced = new LinkedHashMap<>();
		if (node.has("type")) {
			reduced.put("type", node.path("type"));
		}
		if (node.has("properties")) {
			reduced.put("properties", members(root, node.path("properties"), names));
		}
		if (node.has("items")) {
			reduced.put("items", reduced(root, node.path("items"), names));
		}
		return reduced;
	}

	private static JsonNode resolved(JsonNode root, JsonNode node) {
		return node.has("$ref") ? resolved(root, root.at(node.path("$ref").asString("").substring(1))) : node;
	}

}
