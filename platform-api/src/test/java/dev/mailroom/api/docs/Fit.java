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
 * Holds every answer that a test gets against the API's document: its status, its type,
 * its headers and each field of its body. A field that the document does not have is as
 * wrong as one that is missing, though clients are told to expect new ones.
 */
public final class Fit implements ExchangeFilterFunction {

	private static final String ROOT = "https://mailroom.test/openapi.json";

	private final Contract contract = Contract.written();

	private final SchemaRegistry schemas;

	public Fit() {
		JsonNode closed = this.contract.tree().deepCopy();
		close(closed);
		SchemaRegistryConfig config = SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build();
		this.schemas = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12,
				(builder) -> builder.schemaRegistryConfig(config).schemas(Map.of(ROOT, closed.toString())));
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return next.exchange(request)
			.flatMap((answer) -> answer.bodyToMono(byte[].class).defaultIfEmpty(new byte[0]).map((body) -> {
				check(request.method(), request.url(), answer, body);
				return answer.mutate()
					.body((_) -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)))
					.build();
			}));
	}

	private void check(HttpMethod method, URI url, ClientResponse answer, byte[] body) {
		boolean head = method.equals(HttpMethod.HEAD);
		this.contract.operation(head ? "GET" : method.name(), url.getRawPath()).ifPresent((operation) -> {
			String status = Integer.toString(answer.statusCode().value());
			String what = method + " " + url + " answered " + status;
			String text = new String(body, StandardCharsets.UTF_8);
			JsonNode documented = operation.node().get("responses");
			if (!documented.has(status)) {
				throw unfit(what, "but the document has only " + String.join(", ", documented.propertyNames()), text);
			}
			String at = operation.at() + "/responses/" + status;
			@Nullable JsonNode reference = documented.get(status).get("$ref");
			if (reference != null) {
				at = reference.stringValue().substring(1);
			}
			JsonNode response = this.contract.resolved(documented.get(status));
			checkHeaders(what, response.path("headers"), answer.headers().asHttpHeaders());
			if (!head) {
				checkBody(what, at, response.path("content"), answer.headers().contentType().orElse(null), text);
			}
		});
	}

	private void checkHeaders(String what, JsonNode documented, HttpHeaders sent) {
		documented.propertyStream().forEach((header) -> {
			@Nullable String value = sent.getFirst(header.getKey());
			JsonNode rule = this.contract.resolved(header.getValue());
			if (value == null) {
				if (rule.path("required").asBoolean(false)) {
					throw unfit(what, "without the header " + header.getKey(), "");
				}
				return;
			}
			String at = header.getValue().get("$ref").stringValue().substring(1) + "/schema";
			judge(what + ", whose header " + header.getKey() + " is " + value, at, '"' + value + '"');
		});
	}

	private void checkBody(String what, String at, JsonNode content, @Nullable MediaType type, String body) {
		if (content.isEmpty()) {
			if (!body.isEmpty()) {
				throw unfit(what, "with a body, but the document has none", body);
			}
			return;
		}
		String documented = content.propertyStream()
			.map(Map.Entry::getKey)
			.filter((it) -> type != null && MediaType.parseMediaType(it).includes(type))
			.findFirst()
			.orElseThrow(() -> unfit(what,
					"as " + type + ", but the document has " + String.join(", ", content.propertyNames()), body));
		if (documented.endsWith("json")) {
			judge(what, at + "/content/" + documented.replace("/", "~1") + "/schema", body);
		}
	}

	private void judge(String what, String at, String json) {
		Schema schema = this.schemas.getSchema(SchemaLocation.of(ROOT + "#" + at));
		List<com.networknt.schema.Error> wrong = schema.validate(json, InputFormat.JSON);
		if (!wrong.isEmpty()) {
			String faults = wrong.stream()
				.map((it) -> it.getInstanceLocation() + ": " + it.getMessage())
				.collect(Collectors.joining("\n  "));
			throw unfit(what, "but its document (" + at + ") has it otherwise:\n  " + faults, json);
		}
	}

	/**
	 * Takes only the fields that are named, where nothing else is said. Addresses go
	 * unjudged: the validator refuses some that RFC 5321 allows, such as one that begins
	 * with a digit.
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
		node.forEach(Fit::close);
	}

	private static AssertionError unfit(String what, String why, String body) {
		return new AssertionError(what + ", " + why + "\n" + body
				+ "\nChange the route, or platform-api/src/main/openapi/parts (then `npm run write` there).");
	}

}
