package dev.mailroom.api.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.FieldErrors;
import dev.mailroom.account.Caller;
import dev.mailroom.account.Permission;
import dev.mailroom.api.http.Ids;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.web.server.ServerWebExchange;

/**
 * A tool.
 *
 * @param permission what a key needs for it; null if any key may use it
 * @param results the routes whose responses its result consists of: method, path and, if
 * only one member is taken, the name of that member
 */
record McpTool(String name, @Nullable Permission permission, Effect effect, String description,
		List<Argument> arguments, List<String> results, Work work) {

	/** The same tool with other results. */
	McpTool returning(String... results) {
		return new McpTool(this.name, this.permission, this.effect, this.description, this.arguments, List.of(results),
				this.work);
	}

	/** Whether a caller may use this tool. */
	boolean permits(Caller caller) {
		return this.permission == null || caller.has(this.permission)
				|| (this.name.equals(MailTool.NAME) && caller.has(Permission.SANDBOX));
	}

	/**
	 * The tool in a list.
	 * @param result the schema of its results
	 */
	Map<String, Object> listed(Map<String, Object> result) {
		Map<String, Object> properties = new LinkedHashMap<>();
		List<String> required = new ArrayList<>();
		for (Argument argument : this.arguments) {
			Map<String, Object> schema = new LinkedHashMap<>(argument.type().schema);
			schema.put("description", argument.description());
			properties.put(argument.name(), schema);
			if (argument.required()) {
				required.add(argument.name());
			}
		}
		Map<String, Object> input = new LinkedHashMap<>();
		input.put("type", "object");
		input.put("properties", properties);
		input.put("required", required);
		input.put("additionalProperties", false);
		Map<String, Object> listed = new LinkedHashMap<>();
		listed.put("name", this.name);
		listed.put("description", this.description);
		listed.put("inputSchema", input);
		listed.put("outputSchema", result);
		listed.put("annotations", Map.of("readOnlyHint", this.effect == Effect.READS, "destructiveHint",
				this.effect == Effect.CONFIRMED, "idempotentHint", this.effect.idempotent, "openWorldHint", false));
		return listed;
	}

	/**
	 * Checks the arguments of a call.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	void check(ObjectNode given) {
		FieldErrors errors = new FieldErrors();
		for (Argument argument : this.arguments) {
			JsonNode value = given.path(argument.name());
			if (value.isMissingNode() || value.isNull()) {
				given.remove(argument.name());
				if (argument.required()) {
					errors.add(argument.name(), "is required");
				}
			}
			else if (!argument.type().accepts(value)) {
				errors.add(argument.name(), "has the wrong type");
			}
		}
		given.propertyNames()
			.stream()
			.filter((name) -> this.arguments.stream().noneMatch((argument) -> argument.name().equals(name)))
			.forEach((name) -> errors.add(name, "is not an argument of " + this.name));
		errors.refuseIfAny();
	}

	/** Effects of tools, as far as clients and people need to know them. */
	enum Effect {

		READS(true),
		/** Repeated with the same arguments, it changes nothing more. */
		SAVES(true),
		/** Repeated, it may act again. */
		ACTS(false),
		/** It acts only with the token that the call before returned. */
		CONFIRMED(false);

		private final boolean idempotent;

		Effect(boolean idempotent) {
			this.idempotent = idempotent;
		}

	}

	/** Types of arguments. */
	enum Type {

		TEXT(Map.of("type", "string")), ID(Map.of("type", "string", "format", "uuid")),
		BOOLEAN(Map.of("type", "boolean")), OBJECT(Map.of("type", "object")),
		TEXTS(Map.of("type", "array", "items", Map.of("type", "string"), "maxItems", 50)),
		OBJECTS(Map.of("type", "array", "items", Map.of("type", "object"), "maxItems", 1000));

		private final Map<String, Object> schema;

		Type(Map<String, Object> schema) {
			this.schema = schema;
		}

		private boolean accepts(JsonNode value) {
			return switch (this) {
				case TEXT, ID -> value.isString();
				case BOOLEAN -> value.isBoolean();
				case OBJECT -> value.isObject();
				case TEXTS -> value.isArray() && value.valueStream().allMatch(JsonNode::isString);
				case OBJECTS -> value.isArray() && value.valueStream().allMatch(JsonNode::isObject);
			};
		}

	}

	/** An argument. */
	record Argument(String name, Type type, boolean required, String description) {

		static Argument of(String name, Type type, String description) {
			return new Argument(name, type, true, description);
		}

		static Argument id(String name, String description) {
			return of(name, Type.ID, description);
		}

		static Argument text(String name, String description) {
			return of(name, Type.TEXT, description);
		}

		Argument optional() {
			return new Argument(this.name, this.type, false, this.description);
		}

	}

	/**
	 * A call of a tool.
	 *
	 * @param arguments those that are left for the work to read
	 */
	record Call(Caller caller, ObjectNode arguments, ServerWebExchange exchange) {

		UUID id(String name) {
			return Ids.read(text(name)).orElse(new UUID(0, 0));
		}

		String text(String name) {
			return this.arguments.path(name).asString("");
		}

		/** The same call with other arguments. */
		Call with(ObjectNode others) {
			return new Call(this.caller, others, this.exchange);
		}

	}

	/** The work of a tool. */
	interface Work {

		Mono<ObjectNode> of(Call call);

	}

}
