package dev.mailroom.api.docs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The OpenAPI document keeps what the last published one promises: operations,
 * parameters, fields, values and errors are added, not removed or narrowed.
 */
class PublishedTest {

	/** Limits of which a larger value permits more. */
	private static final Set<String> MAXIMA = Set.of("maximum", "maxLength", "maxItems");

	/** Limits of which a smaller value permits more. */
	private static final Set<String> MINIMA = Set.of("minimum", "minLength", "minItems");

	@Test
	void theDocumentBreaksNothingThatWasPublished() {
		assertThat(new Comparison(published(), Contract.written().tree()).breaks()).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					/paths/~1usage/get                                                       | removed
					/paths/~1emails~1logs/get/parameters/0                                   | removed
					/paths/~1emails/post/responses/403                                       | removed
					/paths/~1emails/post/responses/200/headers/RateLimit-Limit               | removed
					/components/schemas/Domain/properties/status                             | removed
					/components/schemas/NewDomain/properties/name                            | removed
					/components/schemas/Permission/enum/0                                    | removed
					/components/schemas/EmailSentEvent/properties/data                       | removed
					/components/schemas/Domain/required/0                                    | removed
					/components/schemas/NewTemplate/required                                 | ["name", "subject", "html_content"]
					/components/schemas/Domain/properties/id                                 | {"type": "integer"}
					/components/schemas/NewApiKey/properties/keyName                         | {"type": "string", "maxLength": 5}
					/paths/~1usage                                                           | removed
					/webhooks/email.bounced                                                  | removed
					/components/schemas/EventKind/enum/0                                     | removed
					/components/schemas/CampaignDetail/properties/status                     | removed
					/components/responses/ForbiddenOrFromDomainMismatch/content/application~1json/schema/properties/name/enum/1 | removed
					/components/headers/RequestId/required                                   | false
					/paths/~1emails/post/requestBody/content/application~1json               | removed
					/paths/~1emails~1logs/get/parameters/1/schema/maximum                    | 5
					/paths/~1emails~1logs/get/parameters/1/schema/default                    | 7
					/paths/~1templates/post/security                                         | [{"accessToken": []}]
					/paths/~1u~1{token}/servers                                              | []
					/paths/~1usage/get/x-permission                                          | "events.read"
					/paths/~1usage/get/x-sdk/method                                          | "read"
					/paths/~1emails~1logs/get/parameters/0                                   | {"name": "page", "in": "query", "required": true, "schema": {"type": "integer", "minimum": 1}}
					""")
	void aBreakIsFound(String pointer, String change) {
		JsonNode changed = published().deepCopy();
		int end = pointer.lastIndexOf('/');
		JsonNode parent = changed.at(pointer.substring(0, end));
		String name = pointer.substring(end + 1).replace("~1", "/");
		assertThat(changed.at(pointer).isMissingNode()).as(pointer).isFalse();
		if (parent instanceof ObjectNode object) {
			if (change.equals("removed")) {
				object.remove(name);
			}
			else {
				object.set(name, JsonMapper.shared().readTree(change));
			}
		}
		else if (parent instanceof ArrayNode array) {
			array.remove(Integer.parseInt(name));
			if (!change.equals("removed")) {
				array.insert(Integer.parseInt(name), JsonMapper.shared().readTree(change));
			}
		}
		assertThat(new Comparison(published(), changed).breaks()).isNotEmpty();
	}

	@Test
	void additionsBreakNothing() {
		JsonNode more = published().deepCopy();
		JsonNode schemas = more.at("/components/schemas");
		((ObjectNode) schemas.at("/Domain/properties")).putObject("note").put("type", "string");
		((ObjectNode) schemas.at("/NewDomain/properties")).putObject("note").put("type", "string");
		((ArrayNode) schemas.at("/Permission/enum")).add("requests.read");
		((ObjectNode) more.at("/paths")).putObject("/new").putObject("get").put("operationId", "getNew");
		assertThat(new Comparison(published(), more).breaks()).isEmpty();
	}

	private static JsonNode published() {
		return JsonMapper.shared()
			.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions()))
				.load(PublishedTest.class.getResourceAsStream("/published/openapi.yaml")));
	}

	/** Comparison of two documents. */
	private static final class Comparison {

		private final JsonNode before;

		private final JsonNode after;

		private final List<String> breaks = new ArrayList<>();

		/** Pairs of schemas that are compared, because schemas refer to each other. */
		private final Set<String> seen = new HashSet<>();

		Comparison(JsonNode before, JsonNode after) {
			this.before = before;
			this.after = after;
		}

		/** Removals and restrictions in the later document, each with its place. */
		List<String> breaks() {
			for (String section : List.of("paths", "webhooks")) {
				this.before.path(section)
					.propertyStream()
					.forEach((path) -> path(path.getKey(), path.getValue(),
							this.after.path(section).path(path.getKey()), section.equals("webhooks")));
			}
			return List.copyOf(this.breaks);
		}

		private void path(String name, JsonNode old, JsonNode now, boolean call) {
			if (!now.isMissingNode() && !old.path("servers").equals(now.path("servers"))) {
				add(name, "is elsewhere");
			}
			old.propertyStream()
				.filter((method) -> method.getValue().has("operationId"))
				.forEach((method) -> operation(method.getKey() + " " + name, method.getValue(),
						now.path(method.getKey()), call));
		}

		private void operation(String place, JsonNode old, JsonNode now, boolean call) {
			if (now.isMissingNode()) {
				add(place, "is removed");
				return;
			}
			for (String kept : List.of("operationId", "x-permission", "x-sandbox-permission", "x-sdk")) {
				if (old.has(kept) && !old.get(kept).equals(now.path(kept))
						&& !old.get(kept).equals(JsonMapper.shared().valueToTree("none"))) {
					add(place, "has another " + kept);
				}
			}
			Set<String> credentials = credentials(now);
			if (!credentials.isEmpty() && (!credentials.containsAll(credentials(old)) || credentials(old).isEmpty())) {
				add(place, "accepts other credentials");
			}
			parameters(place, old, now);
			JsonNode body = resolved(this.before, old.path("requestBody"));
			JsonNode bodyNow = resolved(this.after, now.path("requestBody"));
			if (bodyNow.path("required").asBoolean(false) && !body.path("required").asBoolean(false)) {
				add(place, "requires a body");
			}
			contents(place + " body", body, bodyNow, !call);
			old.path("responses").propertyStream().forEach((response) -> {
				String status = place + " " + response.getKey();
				JsonNode later = resolved(this.after, now.path("responses").path(response.getKey()));
				if (later.isMissingNode()) {
					add(status, "is removed");
					return;
				}
				JsonNode earlier = resolved(this.before, response.getValue());
				earlier.path("headers").propertyStream().forEach((header) -> {
					JsonNode sent = resolved(this.after, later.path("headers").path(header.getKey()));
					boolean always = resolved(this.before, header.getValue()).path("required").asBoolean(false);
					if (sent.isMissingNode() || (always && !sent.path("required").asBoolean(false))) {
						add(status, "has no header " + header.getKey());
					}
				});
				contents(status, earlier, later, false);
			});
		}

		/** The accepted kinds of credentials; empty if none is needed. */
		private static Set<String> credentials(JsonNode operation) {
			Set<String> kinds = operation.path("security")
				.valueStream()
				.flatMap((kind) -> kind.propertyNames().stream())
				.collect(Collectors.toCollection(TreeSet::new));
			if (kinds.contains("apiKey")) {
				kinds.add("accountKey");
			}
			return kinds;
		}

		private void parameters(String place, JsonNode old, JsonNode now) {
			Map<String, JsonNode> before = parameters(this.before, old);
			Map<String, JsonNode> after = parameters(this.after, now);
			before.forEach((name, parameter) -> {
				JsonNode later = after.get(name);
				if (later == null) {
					add(place, "has no parameter " + name);
				}
				else {
					schema(place + " " + name, parameter.path("schema"), later.path("schema"), true);
				}
			});
			after.forEach((name, parameter) -> {
				boolean required = before.containsKey(name) && before.get(name).path("required").asBoolean(false);
				if (parameter.path("required").asBoolean(false) && !required) {
					add(place, "requires " + name);
				}
			});
		}

		private static Map<String, JsonNode> parameters(JsonNode document, JsonNode operation) {
			return operation.path("parameters")
				.valueStream()
				.map((parameter) -> resolved(document, parameter))
				.collect(Collectors.toMap(
						(parameter) -> parameter.path("in").stringValue() + " " + parameter.path("name").stringValue(),
						(parameter) -> parameter));
		}

		private void contents(String place, JsonNode old, JsonNode now, boolean sent) {
			old.path("content").propertyStream().forEach((content) -> {
				JsonNode later = now.path("content").path(content.getKey());
				if (later.isMissingNode()) {
					add(place, "is not " + content.getKey());
				}
				else {
					schema(place, content.getValue().path("schema"), later.path("schema"), sent);
				}
			});
		}

		/**
		 * Compares schemas.
		 * @param sent whether clients send the value: then what was valid stays valid,
		 * otherwise what clients rely on stays true
		 */
		private void schema(String place, JsonNode old, JsonNode now, boolean sent) {
			if (old.has("$ref") && !this.seen.add(old + " " + now + " " + sent)) {
				return;
			}
			JsonNode earlier = resolved(this.before, old);
			JsonNode later = resolved(this.after, now);
			types(place, earlier, later, sent);
			limits(place, earlier, later, sent);
			fields(place, earlier, later, sent);
			if (earlier.has("items")) {
				schema(place + "[]", earlier.get("items"), later.path("items"), sent);
			}
			if (earlier.path("additionalProperties").isObject() && later.path("additionalProperties").isObject()) {
				schema(place + ".*", earlier.get("additionalProperties"), later.get("additionalProperties"), sent);
			}
			for (String choice : List.of("anyOf", "oneOf", "allOf")) {
				JsonNode parts = earlier.path(choice);
				JsonNode partsNow = later.path(choice);
				if (sent ? partsNow.size() < parts.size() : partsNow.size() > parts.size() && !parts.isMissingNode()) {
					add(place, "has another number of " + choice);
				}
				for (int i = 0; i < Math.min(parts.size(), partsNow.size()); i++) {
					schema(place, parts.get(i), partsNow.get(i), sent);
				}
			}
		}

		private void types(String place, JsonNode old, JsonNode now, boolean sent) {
			Set<String> before = texts(old.path("type"));
			Set<String> after = texts(now.path("type"));
			if (!before.isEmpty() && !(sent ? after.isEmpty() || after.containsAll(before)
					: !after.isEmpty() && before.containsAll(after))) {
				add(place, "is " + after + " in place of " + before);
			}
			Set<String> values = texts(old.path("enum"));
			Set<String> valuesNow = texts(now.path("enum"));
			boolean lost = !valuesNow.isEmpty() && !valuesNow.containsAll(values);
			if (lost || (sent && values.isEmpty() && !valuesNow.isEmpty())) {
				add(place, "lost values: " + valuesNow + " in place of " + values);
			}
			for (String kept : List.of("const", "format")) {
				boolean widened = sent ? !now.has(kept) : !old.has(kept);
				if (!old.path(kept).equals(now.path(kept)) && !widened) {
					add(place, "has another " + kept);
				}
			}
			if (sent && now.has("pattern") && !now.get("pattern").equals(old.path("pattern"))) {
				add(place, "has another pattern");
			}
			if (sent && old.has("default") && !old.get("default").equals(now.path("default"))) {
				add(place, "has another default");
			}
			if (sent && now.path("uniqueItems").asBoolean(false) && !old.path("uniqueItems").asBoolean(false)) {
				add(place, "refuses repeated items");
			}
			if (sent && isClosed(now) && !isClosed(old)) {
				add(place, "refuses unknown fields");
			}
		}

		private static boolean isClosed(JsonNode schema) {
			return !schema.path("additionalProperties").asBoolean(true);
		}

		private void limits(String place, JsonNode old, JsonNode now, boolean sent) {
			if (!sent) {
				return;
			}
			Stream.concat(MAXIMA.stream(), MINIMA.stream()).filter(now::has).forEach((limit) -> {
				long value = now.get(limit).asLong();
				boolean narrower = MAXIMA.contains(limit) ? value < old.path(limit).asLong(Long.MAX_VALUE)
						: value > old.path(limit).asLong(0);
				if (narrower) {
					add(place, "has a narrower " + limit);
				}
			});
		}

		private void fields(String place, JsonNode old, JsonNode now, boolean sent) {
			old.path("properties").propertyStream().forEach((field) -> {
				JsonNode later = now.path("properties").path(field.getKey());
				if (later.isMissingNode()) {
					add(place, "has no field " + field.getKey());
				}
				else {
					schema(place + "." + field.getKey(), field.getValue(), later, sent);
				}
			});
			Set<String> required = texts((sent ? now : old).path("required"));
			required.removeAll(texts((sent ? old : now).path("required")));
			if (!required.isEmpty()) {
				add(place, (sent ? "requires " : "no longer always has ") + required);
			}
		}

		private static Set<String> texts(JsonNode node) {
			return node.isArray()
					? node.valueStream().map(JsonNode::asString).collect(Collectors.toCollection(TreeSet::new))
					: node.isMissingNode() ? new TreeSet<>() : new TreeSet<>(Set.of(node.asString()));
		}

		private static JsonNode resolved(JsonNode document, JsonNode node) {
			return node.has("$ref") ? resolved(document, document.at(node.get("$ref").stringValue().substring(1)))
					: node;
		}

		private void add(String place, String what) {
			this.breaks.add(place + " " + what);
		}

	}

}
