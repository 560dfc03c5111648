package dev.mailroom.api.docs;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** The API's document as tests read it. */
public final class Contract {

	private static final Contract WRITTEN = new Contract();

	private final JsonNode tree;

	private final List<Operation> operations;

	private Contract() {
		this.tree = JsonMapper.shared()
			.valueToTree(new Yaml(new SafeConstructor(new LoaderOptions()))
				.load(Contract.class.getResourceAsStream("/openapi/openapi.yaml")));
		this.operations = this.tree.get("paths").propertyStream().flatMap(this::operations).toList();
	}

	/** The document that this build serves. */
	public static Contract written() {
		return WRITTEN;
	}

	public JsonNode tree() {
		return this.tree;
	}

	public List<Operation> operations() {
		return this.operations;
	}

	/** What a request asks for; empty where the document has nothing like it. */
	Optional<Operation> operation(String method, String path) {
		PathContainer asked = PathContainer.parsePath(path);
		List<Operation> there = this.operations.stream()
			.filter((it) -> it.pattern().matches(asked))
			.sorted(Comparator.comparing(Operation::pattern))
			.toList();
		return there.stream()
			.filter((it) -> it.pattern().equals(there.getFirst().pattern()) && it.method().equals(method))
			.findFirst();
	}

	/** What a node refers to; the node itself where it does not refer. */
	public JsonNode resolved(JsonNode node) {
		@Nullable JsonNode reference = node.get("$ref");
		return (reference != null) ? resolved(this.tree.at(reference.stringValue().substring(1))) : node;
	}

	private Stream<Operation> operations(Map.Entry<String, JsonNode> path) {
		String base = path.getValue().has("servers") ? "" : "/api";
		return path.getValue()
			.propertyStream()
			.filter((method) -> method.getValue().has("operationId"))
			.map((method) -> new Operation(method.getKey().toUpperCase(Locale.ROOT), base + path.getKey(),
					"/paths/" + path.getKey().replace("/", "~1") + "/" + method.getKey(), method.getValue()));
	}

	/**
	 * A method of a path.
	 *
	 * @param at where it stands in the document, as a JSON pointer
	 */
	public record Operation(String method, String path, String at, JsonNode node) {

		public PathPattern pattern() {
			return PathPatternParser.defaultInstance.parse(this.path);
		}

		/** Which credential it takes: jwt, key, either or none. */
		public String credential() {
			return this.node.get("x-credential").stringValue();
		}

		/** What a key must be allowed to do; empty where no key may come. */
		public String permission() {
			return this.node.path("x-permission").asString("");
		}

		@Override
		public String toString() {
			return this.method + " " + this.path;
		}

	}

}
