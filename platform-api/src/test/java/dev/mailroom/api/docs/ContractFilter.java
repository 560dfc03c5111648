package dev.mailroom.api.docs;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Compares every response that a test receives with the OpenAPI document: status, content
 * type, headers and each field of the body. Undocumented fields are errors here, although
 * clients must accept them.
 */
public final class ContractFilter implements ExchangeFilterFunction {

	private static final String ROOT = "https://mailroom.test/openapi.json";

	private final Contract contract = Contract.written();

	private final SchemaRegistry schemas;

	public ContractFilter() {
		JsonNode closed = this.contract.tree().deepCopy();
		close(closed);
		SchemaRegistryConfig config = SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
		this.schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
				(builder) -> builder.schemaRegistryConfig(config).schemas(Map.of(ROOT, closed.toString())));
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return next.exchange(request)
			.flatMap((response) -> response.bodyToMono(byte[].class).defaultIfEmpty(new byte[0]).map((body) -> {
				check(request.method(), request.url(), response, body);
				return response.mutate()
					.body((_) -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)))
					.build();
			}));
	}

	private void check(HttpMethod method, URI url, ClientResponse actual, byte[] body) {
		boolean head = method.equals(HttpMethod.HEAD);
		this.contract.operation(head ? "GET" : method.name(), url.getRawPath()).ifPresent((operation) -> {
			String status = Integer.toString(actual.statusCode().value());
			String call = method + " " + url + " answered " + status;
			String text = new String(body, StandardCharsets.UTF_8);
			JsonNode documented = operation.node().get("responses");
			if (!documented.has(status)) {
				throw mismatch(call, "but the document has only " + String.join(", ", documented.propertyNames()),
						text);
			}
			String pointer = operation.pointer() + "/responses/" + status;
			@Nullable JsonNode reference = documented.get(status).get("$ref");
			if (reference != null) {
				pointer = reference.stringValue().substring(1);
			}
			JsonNode response = this.contract.resolved(documented.get(status));
			checkHeaders(call, pointer + "/headers/", response.path("headers"), actual.headers().asHttpHeaders());
			if (!head) {
				checkBody(call, pointer, response.path("content"), actual.headers().contentType().orElse(null), text);
				if (operation.node().path("operationId").asString("").equals("readEvents") && text.startsWith("{")) {
					checkEvents(call, text);
				}
			}
		});
	}

	private void checkHeaders(String call, String place, JsonNode documented, HttpHeaders sent) {
		documented.propertyStream().forEach((header) -> {
			@Nullable String value = sent.getFirst(header.getKey());
			JsonNode rule = this.contract.resolved(header.getValue());
			if (value == null) {
				if (rule.path("required").asBoolean(false)) {
					throw mismatch(call, "without the header " + header.getKey(), "");
				}
				return;
			}
			@Nullable JsonNode reference = header.getValue().get("$ref");
			String pointer = (reference != null) ? reference.stringValue().substring(1) : place + header.getKey();
			validate(call + " with the header " + header.getKey() + ": " + value, pointer + "/schema",
					JsonMapper.shared().writeValueAsString(value));
		});
	}

	private void checkBody(String call, String pointer, JsonNode content, @Nullable MediaType type, String body) {
		if (content.isEmpty()) {
			if (!body.isEmpty()) {
				throw mismatch(call, "with a body, but the document has none", body);
			}
			return;
		}
		String documented = content.propertyStream()
			.map(Map.Entry::getKey)
			.filter((it) -> type != null && MediaType.parseMediaType(it).includes(type))
			.findFirst()
			.orElseThrow(() -> mismatch(call,
					"as " + type + ", but the document has " + String.join(", ", content.propertyNames()), body));
		if (documented.endsWith("json")) {
			validate(call, pointer + "/content/" + documented.replace("/", "~1") + "/schema", body);
		}
	}

	/**
	 * The data of an event has the schema that the document has for calls to endpoints.
	 */
	private void checkEvents(String call, String body) {
		for (JsonNode event : JsonMapper.shared().readTree(body).at("/data/events")) {
			String kind = event.path("type").stringValue();
			String schema = this.contract.tree()
				.path("webhooks")
				.path(kind)
				.at("/post/requestBody/content/application~1json/schema/$ref")
				.stringValue();
			validate(call + " with " + kind, schema.substring(1) + "/properties/data", event.path("data").toString());
		}
	}

	private void validate(String call, String pointer, String json) {
		Schema schema = this.schemas.getSchema(SchemaLocation.of(ROOT + "#" + pointer));
		List<com.networknt.schema.Error> errors = schema.validate(json, InputFormat.JSON);
		if (!errors.isEmpty()) {
			String messages = errors.stream()
				.map((it) -> it.getInstanceLocation() + ": " + it.getMessage())
				.collect(Collectors.joining("\n  "));
			throw mismatch(call, "but the schema at " + pointer + " differs:\n  " + messages, json);
		}
	}

	/**
	 * Forbids undocumented fields, unless the schema allows them explicitly. The format
	 * of addresses is not checked, because the validator refuses some that RFC 5321
	 * allows, such as one that begins with a digit.
	 */
	private static void close(JsonNode node) {
		if (node instanceof ObjectNode text && text.path("format").asString("").equals("email")) {
			text.remove("format");
		}
		if (node instanceof ObjectNode schema && schema.path("type").isString()
				&& schema.path("type").stringValue().equals("object") && schema.has("properties")
				&& !schema.has("additionalProperties")) {
			schema.put("additionalProperties", false);
		}
		node.forEach(ContractFilter::close);
	}

	private static AssertionError mismatch(String call, String difference, String body) {
		return new AssertionError(call + ", " + difference + "\n" + body
				+ "\nChange the route, or platform-api/src/main/openapi/parts (then `npm run write` there).");
	}

}
