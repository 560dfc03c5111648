package dev.mailroom.api.docs;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

/** The OpenAPI document for tests. */
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

	/** The document of this build. */
	public static Contract written() {
		return WRITTEN;
	}

	public JsonNode tree() {
		return this.tree;
	}

	public List<Operation> operations() {
		return this.operations;
	}

	/** The operation of a request; empty if the document has none. */
	Optional<Operation> operation(String method, String path) {
		PathContainer parsed = PathContainer.parsePath(path);
		List<Operation> matches = this.operations.stream()
			.filter((it) -> it.pattern().matches(parsed))
			.sorted(Comparator.comparing(Operation::pattern))
			.toList();
		return matches.stream()
			.filter((it) -> it.pattern().equals(matches.getFirst().pattern()) && it.method().equals(method))
			.findFirst();
	}

	/** The target of a node's {@code $ref}; the node itself without one. */
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
	 * @param pointer the JSON pointer of the operation in the document
	 */
	public record Operation(String method, String path, String pointer, JsonNode node) {

		public PathPattern pattern() {
			return PathPatternParser.defaultInstance.parse(this.path);
		}

		/** The accepted credential: jwt, key, either, account or none. */
		public String credential() {
			return this.node.get("x-credential").stringValue();
		}

		/** The permission that an API key needs: its name, any or none. */
		public String permission() {
			return this.node.get("x-permission").stringValue();
		}

		/**
		 * The permission that the API key of a domain needs; empty if such keys are not
		 * accepted, or any is.
		 */
		public String permissionOfDomainKeys() {
			return Set.of("key", "either").contains(credential()) && !permission().equals("any") ? permission() : "";
		}

		@Override
		public String toString() {
			return this.method + " " + this.path;
		}

	}

}
