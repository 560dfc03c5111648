package dev.mailroom.api.docs;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

import dev.mailroom.api.Client;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

/**
 * A request made from the OpenAPI document: the path with ids, and the example of the
 * body.
 *
 * @param ids the value of each parameter of the path
 * @param query the query, which is appended to the path
 * @param body the body; null if the operation has none
 */
public record Ask(Contract.Operation operation, Map<String, String> ids, String query, @Nullable JsonNode body) {

	/** A request for unknown ids. */
	public static Ask of(Contract.Operation operation) {
		Map<String, String> ids = new LinkedHashMap<>();
		parameters(operation, "path").forEach((it) -> ids.put(it.get("name").stringValue(),
				it.path("schema").path("type").asString("").equals("integer") ? "0" : UUID.randomUUID().toString()));
		return new Ask(operation, ids, "", example(operation));
	}

	/** The parameters in the path or the query that are ids of resources. */
	public static List<JsonNode> things(Contract.Operation operation, String in) {
		return parameters(operation, in).stream().filter((it) -> it.has("x-thing")).toList();
	}

	/**
	 * The fields of the body that are ids of resources, each with the type of resource.
	 */
	public static Map<String, String> thingsInBody(Contract.Operation operation) {
		Map<String, String> things = new LinkedHashMap<>();
		element(operation).path("properties")
			.propertyStream()
			.filter((it) -> it.getValue().has("x-thing"))
			.forEach((it) -> things.put(it.getKey(), it.getValue().get("x-thing").stringValue()));
		return things;
	}

	/** This request with other ids in the path, chosen by their parameters. */
	public Ask with(Function<JsonNode, String> chosen) {
		Map<String, String> replaced = new LinkedHashMap<>(this.ids);
		things(this.operation, "path").forEach((it) -> replaced.put(it.get("name").stringValue(), chosen.apply(it)));
		return new Ask(this.operation, replaced, this.query, this.body);
	}

	/**
	 * This request with a field set in its body or in each element of it, and without the
	 * fields that the field replaces.
	 */
	public Ask with(String field, String value) {
		if (this.body == null) {
			return this;
		}
		JsonNode body = this.body.deepCopy();
		for (JsonNode element : body.isArray() ? body : List.of(body)) {
			JsonNode replaced = element(this.operation).path("properties").path(field).path("x-in-place-of");
			((ObjectNode) element).put(field, value).remove(replaced.valueStream().map(JsonNode::stringValue).toList());
		}
		return new Ask(this.operation, this.ids, this.query, body);
	}

	public Ask filtered(String parameter, String value) {
		return new Ask(this.operation, this.ids, "?" + parameter + "=" + value, this.body);
	}

	/** Whether the body, or each element of it, has the field. */
	public boolean has(String field) {
		return this.body != null && (this.body.isArray() ? this.body.get(0) : this.body).has(field);
	}

	/**
	 * Sends the request.
	 * @param token the credential; null for none
	 */
	public WebTestClient.ResponseSpec by(Client client, @Nullable String token) {
		String path = this.operation.path();
		for (Map.Entry<String, String> id : this.ids.entrySet()) {
			path = path.replace("{" + id.getKey() + "}", id.getValue());
		}
		WebTestClient.RequestBodySpec request = client.web()
			.method(HttpMethod.valueOf(this.operation.method()))
			.uri(path + this.query)
			.header("X-Request-Id", "asked");
		if (token != null) {
			request.headers((headers) -> headers.setBearerAuth(token));
		}
		if (this.body != null) {
			String text = this.body.isString() ? this.body.stringValue() : this.body.toString();
			request.contentType(MediaType.parseMediaType(type(this.operation))).bodyValue(text);
		}
		return request.exchange();
	}

	private static List<JsonNode> parameters(Contract.Operation operation, String in) {
		return operation.node()
			.path("parameters")
			.valueStream()
			.map(Contract.written()::resolved)
			.filter((it) -> it.get("in").stringValue().equals(in))
			.toList();
	}

	/** The example of the body, with a time in the future. */
	private static @Nullable JsonNode example(Contract.Operation operation) {
		JsonNode example = media(operation).path("example");
		if (example instanceof ObjectNode object && object.has("send_at")) {
			return object.deepCopy().put("send_at", Instant.now().plus(Duration.ofDays(1)).toString());
		}
		return example.isMissingNode() ? null : example;
	}

	/** The schema of the body, or of its elements if it is a list. */
	private static JsonNode element(Contract.Operation operation) {
		JsonNode schema = Contract.written().resolved(media(operation).path("schema"));
		return schema.has("items") ? Contract.written().resolved(schema.get("items")) : schema;
	}

	private static JsonNode media(Contract.Operation operation) {
		return operation.node().path("requestBody").path("content").path(type(operation));
	}

	private static String type(Contract.Operation operation) {
		return operation.node()
			.path("requestBody")
			.path("content")
			.propertyNames()
			.stream()
			.findFirst()
			.orElse("application/json");
	}

}
