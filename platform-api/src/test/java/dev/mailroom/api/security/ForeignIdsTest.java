package dev.mailroom.api.security;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Ask;
import dev.mailroom.api.docs.Contract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * For every id in the OpenAPI document, the response for an id of another account equals
 * that for an unknown id, byte for byte except for the id itself.
 */
@WithApi
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignIdsTest {

	/** Headers that depend on the time and on earlier requests. */
	private static final List<String> VARYING_HEADERS = List.of("date", "ratelimit-remaining", "ratelimit-reset");

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	private Holder own;

	private Holder foreign;

	@BeforeAll
	void createHolders() {
		this.own = Holder.in(this.context, this.client);
		this.foreign = Holder.in(this.context, this.client);
	}

	@AfterAll
	void theDataOfTheOtherAccountIsUnchanged() {
		Contract.written()
			.operations()
			.stream()
			.filter((it) -> it.method().equals("GET") && !Ask.things(it, "path").isEmpty())
			.forEach((it) -> Ask.of(it)
				.with((thing) -> id(this.foreign, thing))
				.by(this.client, this.foreign.person().token())
				.expectStatus()
				.isOk());
	}

	/** A PUT does not look up its last id if the id before it is the caller's own. */
	static Stream<Arguments> inPaths() {
		return operations((it) -> !Ask.things(it, "path").isEmpty()).flatMap((operation) -> IntStream
			.range(0, operation.method().equals("PUT") ? 1 : Ask.things(operation, "path").size())
			.boxed()
			.flatMap((ownIds) -> callers(operation).map((caller) -> Arguments.of(operation, ownIds, caller))));
	}

	/** Of several ids in a path, the first ones may be the caller's own. */
	@ParameterizedTest(name = "{0}, {1} own ids, called by {2}")
	@MethodSource("inPaths")
	void aForeignIdInAPathIsUnknown(Contract.Operation operation, int ownIds, String caller) {
		List<JsonNode> things = Ask.things(operation, "path");
		Function<JsonNode, String> foreign = (it) -> id((things.indexOf(it) < ownIds) ? this.own : this.foreign, it);
		String unknownId = UUID.randomUUID().toString();
		Function<JsonNode, String> missing = (it) -> (things.indexOf(it) < ownIds) ? id(this.own, it) : unknownId;
		Ask ask = fromOwnDomain(Ask.of(operation));
		Answer unknown = answer(ask.with(missing), caller, unknownId);
		assertThat(answer(ask.with(foreign), caller, things.stream().map(foreign).toArray(String[]::new)))
			.isEqualTo(unknown);
		assertThat(unknown.status()).isEqualTo(404);
	}

	static Stream<Arguments> ofOneDomain() {
		return operations((it) -> !it.permissionOfDomainKeys().isEmpty() && !Ask.things(it, "path").isEmpty())
			.map(Arguments::of);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("ofOneDomain")
	void anIdOfAnotherDomainIsUnknownToAKey(Contract.Operation operation) {
		String unknownId = UUID.randomUUID().toString();
		Ask ask = Ask.of(operation);
		Answer unknown = answer(ask.with((it) -> unknownId), "another key", unknownId);
		String[] ids = Ask.things(operation, "path").stream().map((it) -> id(this.own, it)).toArray(String[]::new);
		assertThat(answer(ask.with((it) -> id(this.own, it)), "another key", ids)).isEqualTo(unknown);
		assertThat(unknown.status()).isEqualTo(404);
	}

	static Stream<Arguments> inBodies() {
		return operations((it) -> !Ask.thingsInBody(it).isEmpty()).flatMap((operation) -> Ask.thingsInBody(operation)
			.entrySet()
			.stream()
			.flatMap((field) -> callers(operation)
				.map((caller) -> Arguments.of(operation, field.getKey(), field.getValue(), caller))));
	}

	@ParameterizedTest(name = "{0}, {1} in the body, called by {3}")
	@MethodSource("inBodies")
	void aForeignIdInABodyIsUnknown(Contract.Operation operation, String field, String thing, String caller) {
		String unknownId = UUID.randomUUID().toString();
		Ask ask = fromOwnDomain(Ask.of(operation).with((it) -> id(this.own, it)));
		for (Map.Entry<String, String> other : Ask.thingsInBody(operation).entrySet()) {
			ask = ask.has(other.getKey()) ? ask.with(other.getKey(), this.own.things().get(other.getValue())) : ask;
		}
		Answer unknown = answer(ask.with(field, unknownId), caller, unknownId);
		String foreign = this.foreign.things().get(thing);
		assertThat(answer(ask.with(field, foreign), caller, foreign)).isEqualTo(unknown);
		assertThat(unknown.body()).contains(" not found");
	}

	static Stream<Arguments> inQueries() {
		return operations((it) -> !Ask.things(it, "query").isEmpty())
			.flatMap((operation) -> Ask.things(operation, "query")
				.stream()
				.flatMap((it) -> callers(operation)
					.map((caller) -> Arguments.of(operation, it.get("name").stringValue(), caller))));
	}

	@ParameterizedTest(name = "{0}, {1} in the query, called by {2}")
	@MethodSource("inQueries")
	void aForeignIdInAQueryHasTheResultOfAnUnknownOne(Contract.Operation operation, String name, String caller) {
		JsonNode thing = Ask.things(operation, "query")
			.stream()
			.filter((it) -> it.get("name").stringValue().equals(name))
			.findFirst()
			.orElseThrow();
		Ask ask = Ask.of(operation);
		String unknownId = UUID.randomUUID().toString();
		String foreign = id(this.foreign, thing);
		Answer unknown = answer(ask.filtered(name, unknownId), caller, unknownId);
		assertThat(answer(ask.filtered(name, foreign), caller, foreign)).isEqualTo(unknown);
		assertThat(unknown.status()).isEqualTo(thing.path("required").booleanValue(false) ? 404 : 200);
	}

	/** Sets a sender that is accepted, so that the id is looked up. */
	private Ask fromOwnDomain(Ask ask) {
		return ask.has("from") ? ask.with("from", "a@" + this.own.domain()) : ask;
	}

	private Answer answer(Ask ask, String caller, String... ids) {
		String token = switch (caller) {
			case "a person" -> this.own.person().token();
			case "another key" -> this.own.otherKey();
			case "the key of an account" -> this.own.accountKey();
			default -> this.own.key();
		};
		EntityExchangeResult<byte[]> result = ask.by(this.client, token).expectBody().returnResult();
		String body = new String(result.getResponseBody(), StandardCharsets.UTF_8);
		for (String id : ids) {
			body = body.replace(id, "<id>");
		}
		HttpHeaders headers = new HttpHeaders();
		result.getResponseHeaders().forEach((name, values) -> {
			if (!VARYING_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
				headers.addAll(name, values);
			}
		});
		return new Answer(result.getStatus().value(), headers.toString(), body);
	}

	private static String id(Holder holder, JsonNode parameter) {
		String thing = parameter.get("x-thing").stringValue();
		String id = holder.things().get(thing);
		assertThat(id).as("Holder makes no " + thing).isNotNull();
		return id;
	}

	private static Stream<Contract.Operation> operations(Predicate<Contract.Operation> which) {
		return Contract.written().operations().stream().filter(which);
	}

	private static Stream<String> callers(Contract.Operation operation) {
		return switch (operation.credential()) {
			case "jwt" -> Stream.of("a person");
			case "account" -> Stream.of("a person", "the key of an account");
			case "key" -> Stream.of("a key");
			default -> Stream.of("a person", "a key");
		};
	}

	private record Answer(int status, String headers, String body) {
	}

}
