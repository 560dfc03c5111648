package dev.mailroom.admin.graphql;

import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.account.Forge;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.secret.Seal;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithAdmin
class LimitsTest {

	private static final String EMPTY = "{ __typename }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	Seal seal;

	@Autowired
	MeterRegistry meters;

	GraphQl anybody;

	GraphQl tenant;

	@BeforeEach
	void clients() {
		this.anybody = GraphQl.at(this.port);
		this.tenant = this.anybody.as(Person.in(this.context));
	}

	@Test
	void errorsAreCountedByName() {
		double methods = errors("method_not_allowed");
		double invalid = errors("invalid_request_data");
		double unauthorized = errors("unauthorized");
		this.anybody.web().get().uri("/graphql?query=x").exchange().expectStatus().isEqualTo(405);
		this.tenant.send("{ noSuchField }", Map.of());
		this.tenant.send("mutation { createDomain(input: { name: \"-\" }) { userErrors { name } } }", Map.of());
		this.anybody.as("nonsense").post(GraphQl.body(EMPTY, Map.of())).expectStatus().isEqualTo(401);
		assertThat(errors("method_not_allowed")).isEqualTo(methods + 1);
		assertThat(errors("invalid_request_data")).isEqualTo(invalid + 2);
		assertThat(errors("unauthorized")).isEqualTo(unauthorized + 1);
		assertThat(this.meters.counter("mailroom.auth.failures", "kind", "access_token", "reason", "invalid").count())
			.isPositive();
	}

	private double errors(String name) {
		return this.meters.counter("mailroom.errors", "name", name).count();
	}

	@Test
	void onlyPostIsAccepted() {
		this.anybody.web()
			.get()
			.uri("/graphql?query=x")
			.exchange()
			.expectStatus()
			.isEqualTo(405)
			.expectHeader()
			.valueEquals("Allow", "POST")
			.expectBody()
			.jsonPath("$.name")
			.isEqualTo("method_not_allowed");
	}

	@Test
	void onlyJsonIsAccepted() {
		for (String type : new String[] { "text/plain", "application/x-www-form-urlencoded", "application/graphql",
				"multipart/form-data; boundary=x" }) {
			this.anybody.web()
				.post()
				.uri("/graphql")
				.header("Content-Type", type)
				.bodyValue(GraphQl.body(EMPTY, Map.of()))
				.exchange()
				.expectStatus()
				.isEqualTo(415)
				.expectBody()
				.jsonPath("$.name")
				.isEqualTo("unsupported_media_type");
		}
	}

	@Test
	void pagesOfOtherOriginsAreRefused() {
		for (String origin : new String[] { "https://evil.test", "null", "http://localhost:1" }) {
			fromPage(origin).expectStatus().isForbidden().expectBody().jsonPath("$.name").isEqualTo("forbidden");
		}
		fromPage("http://localhost:" + this.port).expectStatus().isOk();
		fromPage("https://app.mailroom.test").expectStatus().isOk();
	}

	@Test
	void anotherSpellingOfThePathHasTheSameLimits() {
		URI spelling = URI.create("http://localhost:" + this.port + "/%67raphql");
		String document = "{ __typename " + "#".repeat((int) RequestGate.MAX_DOCUMENT.toBytes()) + "\n}";
		atPath(spelling, "https://evil.test", GraphQl.body(EMPTY, Map.of())).expectStatus().isForbidden();
		atPath(spelling, "http://localhost:" + this.port, GraphQl.body(document, Map.of())).expectStatus()
			.isEqualTo(413);
		atPath(spelling, "http://localhost:" + this.port, GraphQl.body(EMPTY, Map.of())).expectStatus().isOk();
	}

	@Test
	void anArrayOfOperationsIsRefused() {
		refused(this.anybody, "[" + GraphQl.body(EMPTY, Map.of()) + "]", 400, "invalid_request_data");
		refused(this.anybody, "{", 400, "invalid_request_data");
		refused(this.anybody, "{\"query\": 1}", 400, "invalid_request_data");
	}

	@Test
	void aDocumentOfMoreThan16KibIsRefused() {
		String document = "{ __typename " + "#".repeat((int) RequestGate.MAX_DOCUMENT.toBytes()) + "\n}";
		refused(this.anybody, GraphQl.body(document, Map.of()), 413, "payload_too_large");
		refused(this.tenant, GraphQl.body(document, Map.of()), 413, "payload_too_large");
		String large = "x".repeat((int) RequestGate.MAX_BODY.toBytes());
		refused(this.tenant, GraphQl.body(EMPTY, Map.of("x", large)), 413, "payload_too_large");
	}

	@Test
	void variablesOfMegabytesAreAccepted() {
		String content = "x".repeat((int) RequestGate.MAX_BODY.toBytes() - 1024);
		assertThat(this.tenant.send(EMPTY, Map.of("x", content)).path("data").path("__typename").asString())
			.isEqualTo("Query");
	}

	@Test
	void oneAccountCannotUseAllMemoryForBodies() throws Exception {
		Person person = Person.in(this.context);
		String large = GraphQl.body(EMPTY, Map.of("x", "x".repeat(3_000_000)));
		try (Socket socket = new Socket("localhost", this.port)) {
			socket.getOutputStream()
				.write(("POST /graphql HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + person.token()
						+ "\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n"
						+ " ".repeat(3_000_000))
					.getBytes(StandardCharsets.US_ASCII));
			Await.untilAsserted(() -> refused(this.anybody.as(person), large, 503, "service_unavailable"));
			this.tenant.post(large).expectStatus().isOk();
		}
		Await.untilAsserted(() -> this.anybody.as(person).post(large).expectStatus().isOk());
	}

	@Test
	void aBodyOfVeryManyValuesIsRefused() {
		String values = "[" + "0,".repeat(600_000) + "0]";
		refused(this.tenant, "{\"query\": \"{ __typename }\", \"variables\": {\"x\": " + values + "}}", 400,
				"invalid_request_data");
	}

	@Test
	void aDocumentNestedMoreThan12LevelsIsRefused() {
		String deep = "{ viewer " + "{ a ".repeat(13) + "}".repeat(13) + " }";
		assertThat(message(this.tenant, deep)).contains("nested more than 12 levels");
	}

	@Test
	void aResponseOfMoreThan1000ObjectsIsRefused() {
		assertThat(message(this.tenant, """
				{ viewer { emails(first: 100) { nodes { deliveries { id attempts { id } } } } } }"""))
			.contains("more than 1000 objects");
		assertThat(message(this.tenant, "{ viewer { emails(first: 2147483647) { nodes { id } } } }"))
			.contains("more than 1000 objects");
	}

	@Test
	void listsCountByTheirRealSizeAndContentsAsManyObjects() {
		String many = "more than 1000 objects";
		assertThat(message(this.tenant, "{ viewer { emails(first: 90) { nodes { events { id } } } } }")).contains(many);
		assertThat(message(this.tenant, "{ viewer { templates(first: 100) { nodes { htmlContent } } } }"))
			.contains(many);
		assertThat(message(this.tenant, "{ viewer { " + repeat(4, "emailContent(id: \"%s\") { html text }") + " } }"))
			.contains(many);
		assertThat(message(this.tenant, "{ viewer { " + repeat(6, "inboundEmail(id: \"%s\") { html }") + " } }"))
			.contains(many);
		assertThat(message(this.tenant,
				"{ viewer { " + repeat(7, "emails(first: 1, search: \"%s\") { nodes { id } }") + " } }"))
			.contains(many);
		assertThat(message(this.tenant,
				"{ viewer { " + repeat(12, "dailyFigures(from: \"2026-01-01\", domainId: \"%s\") { day }") + " } }"))
			.contains(many);
		assertThat(message(this.tenant,
				"query($s: String = \"abc\") { viewer { "
						+ repeat(7, "emails(first: 1, search: $s, domainId: \"%s\") { nodes { id } }") + " } }"))
			.contains(many);
		assertThat(message(this.tenant,
				"query($n: Int = 100) { viewer { "
						+ repeat(11, "templates(first: 1, last: $n, before: \"%s\") { nodes { id } }") + " } }"))
			.contains(many);
		assertThat(message(this.tenant, "{ operator { " + repeat(6, "traffic(last: 200) { at }") + " } }"))
			.contains(many);
	}

	private static String repeat(int times, String field) {
		return IntStream.range(0, times)
			.mapToObj((i) -> "a" + i + ": " + field.formatted(UUID.randomUUID()))
			.collect(Collectors.joining(" "));
	}

	@Test
	void aRequestForAStreamIsSmall() {
		for (String accepted : new String[] { "text/event-stream", "text/*", "application/xml, text/event-stream" }) {
			Person person = Person.in(this.context);
			this.anybody.web()
				.post()
				.uri("/graphql")
				.contentType(MediaType.APPLICATION_JSON)
				.header("Accept", accepted)
				.headers((headers) -> headers.setBearerAuth(person.token()))
				.bodyValue(GraphQl.body("subscription { accountEvents { id } }",
						Map.of("x", "x".repeat((int) RequestGate.MAX_DOCUMENT.toBytes()))))
				.exchange()
				.expectStatus()
				.isEqualTo(413);
		}
	}

	@Test
	void theRateThatAnOperatorHasSetLimitsTheMailsOfARequest() {
		Person person = Person.in(this.context);
		Given.run("update account set send_rate = 3 where id = '%s'", person.account());
		String sends = "mutation { " + IntStream.range(0, 4)
			.mapToObj((i) -> "m" + i + ": sendEmail(input: { to: [\"a@b.test\"] }) { userErrors { name } }")
			.collect(Collectors.joining(" ")) + " }";
		GraphQl sender = this.anybody.as(person);
		Await.untilAsserted(() -> {
			var error = sender.send(sends, Map.of()).path("errors").path(0).path("extensions");
			assertThat(error.path("name").asString("")).isEqualTo("rate_limit_exceeded");
			assertThat(error.path("retryAfter").asInt()).isPositive();
		});
		assertThat(sender.data("{ viewer { account { id } } }").path("viewer").size()).isEqualTo(1);
	}

	@Test
	void repeatedFragmentsAreRefusedBeforeTheyAreExpanded() {
		String bomb = IntStream.range(0, 60)
			.mapToObj((i) -> "fragment f" + i + " on Viewer { ...f" + (i + 1) + " ...f" + (i + 1) + " }")
			.collect(Collectors.joining(" ")) + " fragment f60 on Viewer { account { id } }";
		assertThat(message(this.tenant, "{ viewer { ...f0 } } " + bomb)).contains("selects more than");
		String cycle = "{ viewer { ...a } } fragment a on Viewer { ...b } fragment b on Viewer { ...a }";
		assertThat(this.tenant.send(cycle, Map.of()).path("errors").size()).isPositive();
	}

	@Test
	void moreThan30AliasesAreRefused() {
		String aliases = IntStream.range(0, 31)
			.mapToObj((i) -> "a" + i + ": __typename")
			.collect(Collectors.joining(" "));
		assertThat(message(this.anybody, "{ " + aliases + " }")).contains("more than 30 aliases");
	}

	@Test
	void aPageOfMoreThan100ItemsIsRefused() {
		assertThat(message(this.tenant, "{ viewer { emails(first: 101) { nodes { id } } } }"))
			.isEqualTo("first must be a whole number from 1 to 100");
		assertThat(message(this.tenant, "{ viewer { emails(first: 0) { nodes { id } } } }"))
			.isEqualTo("first must be a whole number from 1 to 100");
	}

	@Test
	void onlyOperatorsReadTheSchema() {
		String schema = "{ __schema { types { name } } }";
		this.anybody.isUnauthorized(schema);
		assertThat(this.tenant.error(schema).path("name").asString()).isEqualTo("forbidden");
		assertThat(this.tenant.error("{ ...s } fragment s on Query { __type(name: \"Email\") { name } }")
			.path("name")
			.asString()).isEqualTo("forbidden");
		GraphQl operator = this.anybody.as(Person.operator(this.context));
		assertThat(operator.data(schema).path("__schema").path("types").size()).isGreaterThan(20);
		assertThat(this.anybody.data(EMPTY).path("__typename").asString()).isEqualTo("Query");
	}

	@Test
	void errorsOfTheLibraryHaveTheContractsNames() {
		assertThat(this.tenant.error("{ nothing }").path("name").asString()).isEqualTo("invalid_request_data");
		assertThat(this.tenant.error("{ viewer { account { id } } ").path("name").asString())
			.isEqualTo("invalid_request_data");
		assertThat(this.anybody.error("mutation { signOut { nothing } }").path("name").asString())
			.isEqualTo("invalid_request_data");
	}

	@Test
	void aDocumentThatNeedsATokenIsUnauthorizedAsAWholeWithoutOne() {
		for (String document : List.of("{ viewer { account { id } } }", "{ nothing }", "{ ...f } " + fragment("viewer"),
				"{ ... on Query { viewer { account { id } } } }",
				"mutation { signOut { done } endSession(id: 1) { x } }", "mutation { ...f } " + fragment("signOut"),
				"subscription { accountEvents { id } }",
				"mutation A { signOut { done } } query B { viewer { account { id } } }")) {
			this.anybody.isUnauthorized(document);
		}
		assertThat(this.anybody.change("signOut", "", "done").path("done").asBoolean()).isTrue();
		assertThat(this.anybody.data("mutation { __typename ...f } fragment f on Mutation { signOut { done } }")
			.path("signOut")
			.path("done")
			.asBoolean()).isTrue();
	}

	/** A fragment that contains itself and a field of the caller's account. */
	private static String fragment(String field) {
		return "fragment f on Query { ...f " + field + " { account { id } } viewer { account { id } } }";
	}

	@Test
	void invalidAndExpiredTokensAndApiKeysAreUnauthorizedEvenForFieldsThatNeedNone() {
		Person person = Person.in(this.context);
		List<String> tokens = List.of("garbage", "ek_garbage", new Forge(this.seal, person.token()).expired(60),
				person.token().substring(0, person.token().length() - 4));
		for (String token : tokens) {
			for (String document : List.of(EMPTY, "{ viewer { account { id } } }", "mutation { signOut { done } }")) {
				this.anybody.as(token).isUnauthorized(document);
			}
		}
		this.anybody.as(person).data(EMPTY);
		Given.run("delete from session where account_id = '%s'", person.account());
		this.anybody.as(person).isUnauthorized(EMPTY);
	}

	private static String message(GraphQl client, String document) {
		var error = client.send(document, Map.of()).path("errors").path(0);
		assertThat(error.path("extensions").path("name").asString()).isEqualTo("invalid_request_data");
		assertThat(error.path("extensions").path("requestId").asString()).isNotEmpty();
		return error.path("message").asString();
	}

	private static void refused(GraphQl client, String body, int status, String name) {
		client.post(body).expectStatus().isEqualTo(status).expectBody().jsonPath("$.name").isEqualTo(name);
	}

	private WebTestClient.ResponseSpec fromPage(String origin) {
		return atPath(URI.create("http://localhost:" + this.port + "/graphql"), origin, GraphQl.body(EMPTY, Map.of()));
	}

	private WebTestClient.ResponseSpec atPath(URI path, String origin, String body) {
		return this.anybody.web()
			.post()
			.uri(path)
			.contentType(MediaType.APPLICATION_JSON)
			.header("Origin", origin)
			.bodyValue(body)
			.exchange();
	}

}
