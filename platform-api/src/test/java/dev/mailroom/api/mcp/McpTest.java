package dev.mailroom.api.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Authenticator;
import dev.mailroom.account.Caller;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.security.AccountKeys;
import dev.mailroom.api.security.Holder;
import dev.mailroom.secret.Stamp;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The tools of the Model Context Protocol, and its messages. */
@WithApi
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class McpTest {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final String MODERN = "2026-07-28";

	private static final McpTool.Work DONE = (call) -> Mono.just(call.arguments());

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	Client client;

	@Autowired
	McpTools tools;

	private Holder holder;

	private String key;

	private String book;

	private final Map<String, String> byPermission = new LinkedHashMap<>();

	@BeforeAll
	void createKeys() {
		this.holder = Holder.in(this.context, this.client);
		this.key = this.holder.accountKey();
		byte[] book = this.client
			.send(HttpMethod.POST, this.holder.person().token(), "/api/contact-books", "{\"name\": \"mcp\"}")
			.expectBody()
			.returnResult()
			.getResponseBody();
		this.book = JSON.readTree(book).at("/data/contactBook/id").asString("");
		JsonNode saved = call(this.key, "save_contacts", contacts("reader@mcp.test"));
		assertThat(saved.at("/structuredContent/count").asInt()).as(saved.toString()).isEqualTo(1);
		AccountKeys.PERMISSIONS.forEach((permission) -> this.byPermission.put(permission,
				AccountKeys.of(this.keys, this.holder.person().account(), permission).text()));
	}

	@Test
	void aClientConnectsListsAndCallsTools() {
		JsonNode initialized = ask(this.key, "initialize", """
				{"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}""");
		assertThat(initialized.path("protocolVersion").asString("")).isEqualTo("2025-06-18");
		assertThat(initialized.at("/serverInfo/name").asString("")).isEqualTo("mailroom");
		assertThat(ask(this.key, "initialize", "{\"protocolVersion\": \"1999-01-01\"}").path("protocolVersion")
			.asString("")).isEqualTo("2025-11-25");
		String notification = "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}";
		assertThat(post(this.key, notification, Map.of()).getStatus().value()).isEqualTo(202);
		assertThat(ask(this.key, "ping", "{}").isEmpty()).isTrue();
		assertThat(names(this.key)).containsExactlyElementsOf(this.tools.all().stream().map(McpTool::name).toList());
		JsonNode called = call(this.key, "list_domains", "{}");
		assertThat(called.path("isError").asBoolean()).isFalse();
		assertThat(called.at("/structuredContent/domains").size()).isGreaterThan(1);
		assertThat(JSON.readTree(called.at("/content/0/text").asString("")))
			.isEqualTo(called.path("structuredContent"));
	}

	@Test
	void aClientOfTheRevisionWithoutHandshakeListsAndCallsTools() {
		JsonNode discovered = modern("server/discover", "", null).path("result");
		assertThat(discovered.path("supportedVersions").get(0).asString("")).isEqualTo(MODERN);
		assertThat(discovered.path("resultType").asString("")).isEqualTo("complete");
		JsonNode listed = modern("tools/list", "", null).path("result");
		assertThat(listed.path("tools").size()).isEqualTo(this.tools.all().size());
		assertThat(listed.path("cacheScope").asString("")).isEqualTo("private");
		JsonNode called = modern("tools/call", "\"name\": \"list_domains\",", "list_domains").path("result");
		assertThat(called.at("/structuredContent/domains").size()).isGreaterThan(1);
		assertThat(called.at("/_meta/io.modelcontextprotocol~1serverInfo/name").asString("")).isEqualTo("mailroom");
		assertThat(modern("tools/call", "\"name\": \"list_domains\",", "whoami").at("/error/code").asInt())
			.isEqualTo(-32020);
		assertThat(modern("nothing", "", null).at("/error/code").asInt()).isEqualTo(-32601);
		JsonNode unsupported = json(
				post(this.key, message("tools/list", "{}"), Map.of("MCP-Protocol-Version", "2000-01-01")));
		assertThat(unsupported.at("/error/code").asInt()).isEqualTo(-32022);
		assertThat(unsupported.at("/error/data/supported/0").asString("")).isEqualTo(MODERN);
	}

	@Test
	void everyToolIsListedAndCalledOnlyWithItsPermission() {
		this.byPermission.forEach((permission, credential) -> {
			List<String> listed = names(credential);
			for (McpTool tool : this.tools.all()) {
				JsonNode called = call(credential, tool.name(), "{\"nothing\": 1}");
				String failure = called.at("/structuredContent/failure/name").asString("");
				assertThat(failure).as("%s with %s", tool.name(), permission)
					.isEqualTo(listed.contains(tool.name()) ? "invalid_request_data" : "forbidden");
			}
		});
		assertThat(names(this.byPermission.get("domains.read"))).containsExactly("whoami", "list_domains",
				"check_domain", "search_docs", "read_doc");
		assertThat(names(this.byPermission.get("emails.sandbox"))).contains("send_email")
			.doesNotContain("cancel_email");
		assertThat(names(this.holder.key())).contains("send_email", "explain_email").doesNotContain("list_domains");
	}

	@Test
	void aKeyThatOnlyReadsSeesNoToolThatWrites() {
		String reader = AccountKeys
			.of(this.keys, this.holder.person().account(),
					AccountKeys.PERMISSIONS.stream().filter((it) -> it.endsWith(".read")).toArray(String[]::new))
			.text();
		assertThat(ask(reader, "tools/list", "{}").path("tools").valueStream())
			.allMatch((tool) -> tool.at("/annotations/readOnlyHint").asBoolean())
			.hasSizeGreaterThan(15);
		JsonNode refused = call(reader, "suppress_address", "{\"email\": \"a@mcp.test\"}");
		assertThat(refused.path("isError").asBoolean()).isTrue();
		assertThat(refused.at("/structuredContent/failure/docs_url").asString("")).endsWith("/docs/errors/forbidden");
		assertThat(Given.rows("select count(*) from suppression where address = 'a@mcp.test'")).containsExactly("0");
	}

	@Test
	void everyToolThatReadsAnswersWithData() {
		Map<String, String> ids = Map.of("domain_id", "domain", "template_id", "template", "book_id", "contactBook",
				"campaign_id", "campaign", "endpoint_id", "endpoint");
		ObjectNode schemas = JSON.createObjectNode();
		ask(this.key, "tools/list", "{}").path("tools")
			.forEach((tool) -> schemas.set(tool.path("name").asString(""), tool.path("outputSchema")));
		assertThat(schemas.path("search_emails").toString()).contains("untrusted_subject", "next_cursor");
		SchemaRegistry registry = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
		for (McpTool tool : this.tools.all()) {
			if (tool.effect() != McpTool.Effect.READS) {
				continue;
			}
			String arguments = tool.arguments().stream().filter(McpTool.Argument::required).map((argument) -> {
				String thing = argument.name().equals("email_id")
						? (tool.name().equals("read_inbound") ? "inbound" : "email") : ids.get(argument.name());
				String value = (thing != null) ? this.holder.things().get(thing)
						: tool.name().equals("read_doc") ? "sendEmail" : "x";
				return "\"" + argument.name() + "\": \"" + value + "\"";
			}).collect(Collectors.joining(", ", "{", "}"));
			JsonNode called = call(this.key, tool.name(), arguments);
			assertThat(called.path("isError").asBoolean()).as(tool.name() + " " + called).isFalse();
			JsonNode content = called.path("structuredContent");
			assertThat(content.isEmpty()).as(tool.name()).isFalse();
			JsonNode schema = schemas.path(tool.name());
			assertThat(registry.getSchema(schema).validate(content)).as(tool.name() + " " + schema).isEmpty();
			assertThat(tool.results().isEmpty() || schema.has("properties")).as(tool.name()).isTrue();
		}
		JsonNode calls = call(this.key, "webhook_failures",
				"{\"endpoint_id\": \"%s\"}".formatted(this.holder.things().get("endpoint")));
		assertThat(calls.at("/structuredContent/deliveries").size()).isEqualTo(1);
		assertThat(call(this.key, "search_docs", "{\"query\": \"send a mail\"}").toString()).contains("sendEmail");
		assertThat(call(this.key, "search_docs", "{\"query\": \"permissions of credentials\"}").toString())
			.contains("credentials#permissions");
		assertThat(
				call(this.key, "read_doc", "{\"name\": \"credentials#permissions\"}").at("/structuredContent/content")
					.asString(""))
			.contains("`emails.sandbox`")
			.doesNotContain("Device sign-in");
		assertThat(call(this.key, "read_doc", "{\"name\": \"nothing\"}").path("isError").asBoolean()).isTrue();
	}

	@Test
	void textsOfOthersAreMarkedAndCut() {
		String id = Given.inbound(this.holder.person().account(), UUID.fromString(this.holder.things().get("domain")))
			.toString();
		Given
			.run("update inbound_content set text = null, html = '<style>x</style><b>' || repeat('y', 30000) || '</b>' "
					+ "where inbound_email_id = '%s'", id);
		JsonNode mail = call(this.key, "read_inbound", "{\"email_id\": \"%s\"}".formatted(id))
			.at("/structuredContent/email");
		assertThat(mail.has("subject") || mail.has("text") || mail.has("html")).isFalse();
		assertThat(mail.path("untrusted_subject").asString("")).isEqualTo("Hello");
		assertThat(mail.path("untrusted_text").asString("")).hasSize(20_000).doesNotContain("<", "x");
	}

	@Test
	void aRepeatedCallSendsOneMail() {
		String mail = mail("\"to\": [\"once@mcp.test\"]");
		JsonNode first = call(this.key, "send_email", mail).path("structuredContent");
		assertThat(first.path("replayed").asBoolean(true)).isFalse();
		JsonNode second = call(this.key, "send_email", mail).path("structuredContent");
		assertThat(second.path("replayed").asBoolean()).isTrue();
		assertThat(second.path("id")).isEqualTo(first.path("id"));
		assertThat(count("once@mcp.test")).isEqualTo(1);
		call(this.key, "send_email", mail("\"to\": [\"once@mcp.test\"], \"cc\": [\"c@mcp.test\"]"));
		assertThat(count("once@mcp.test")).isEqualTo(2);
		String keyed = mail("\"to\": [\"keyed@mcp.test\"], \"idempotency_key\": \"k\"");
		call(this.key, "send_email", keyed);
		assertThat(call(this.key, "send_email", keyed).at("/structuredContent/replayed").asBoolean()).isTrue();
		assertThat(call(this.key, "send_email", keyed.replace("Hi", "Ho")).at("/structuredContent/failure/name")
			.asString("")).isEqualTo("idempotency_key_reused");
		assertThat(count("keyed@mcp.test")).isEqualTo(1);
	}

	@Test
	void aCallThatWasMadeInTheWindowBeforeIsARepetition() {
		String mail = mail("\"to\": [\"window@mcp.test\"]");
		call(this.key, "send_email", mail);
		Given.run(
				"update idempotency_key set key = regexp_replace(key, '^arguments \\d+', 'arguments ' || "
						+ "(floor(extract(epoch from now()) / 600) - 1)) where account_id = '%s'",
				this.holder.person().account());
		assertThat(call(this.key, "send_email", mail).at("/structuredContent/replayed").asBoolean()).isTrue();
		assertThat(count("window@mcp.test")).isEqualTo(1);
	}

	@Test
	void aKeyOfTheSandboxSendsToItOnly() {
		String sandbox = this.byPermission.get("emails.sandbox");
		assertThat(call(sandbox, "send_email", mail("\"to\": [\"delivered@simulator.mailroom.localhost\"]"))
			.path("isError")
			.asBoolean()).isFalse();
		assertThat(call(sandbox, "send_email", mail("\"to\": [\"a@mcp.test\"]")).at("/structuredContent/failure/name")
			.asString("")).isEqualTo("forbidden");
	}

	@Test
	void aMailToManyNeedsAConfirmation() {
		String to = Stream.of("1", "2", "3", "4", "5", "6")
			.map((n) -> "\"many" + n + "@mcp.test\"")
			.collect(Collectors.joining(",", "\"to\": [", "]"));
		JsonNode first = call(this.key, "send_email", mail(to)).path("structuredContent");
		assertThat(first.path("done").asBoolean(true)).isFalse();
		assertThat(first.at("/would/recipients").asInt()).isEqualTo(6);
		assertThat(count("many1@mcp.test")).isZero();
		String confirm = ", \"confirm\": \"" + first.path("confirm").asString("") + "\"";
		assertThat(call(this.key, "send_email", mail(to + confirm).replace("Hi", "Ho")).path("isError").asBoolean())
			.isTrue();
		assertThat(count("many1@mcp.test")).isZero();
		assertThat(call(this.key, "send_email", mail(to + confirm)).path("isError").asBoolean()).isFalse();
		assertThat(count("many1@mcp.test")).isEqualTo(1);
	}

	@Test
	void aCampaignStartsOnlyWithATokenOfItsKeyArgumentsAndState() {
		String campaign = campaign();
		String arguments = "{\"campaign_id\": \"%s\"}".formatted(campaign);
		JsonNode shown = call(this.key, "start_campaign", arguments).path("structuredContent");
		assertThat(shown.at("/would/recipients").asInt()).as(shown.toString()).isPositive();
		assertThat(shown.at("/would/status").asString("")).isEqualTo("draft");
		assertThat(shown.at("/would/usage").isObject()).isTrue();
		assertThat(status(campaign)).isEqualTo("draft");
		String token = shown.path("confirm").asString("");
		String other = this.byPermission.get("campaigns.send");
		refusedToken(other, "start_campaign", confirmed(campaign, token));
		refusedToken(this.key, "start_campaign", confirmed(campaign(), token));
		refusedToken(this.key, "resume_campaign", confirmed(campaign, token));
		refusedToken(this.key, "start_campaign", confirmed(campaign, "x" + token.substring(1)));
		refusedToken(this.key, "start_campaign", confirmed(campaign, "?"));
		Given.run("update campaign set updated_at = now() + interval '1 second' where id = '%s'", campaign);
		refusedToken(this.key, "start_campaign", confirmed(campaign, token));
		assertThat(status(campaign)).isEqualTo("draft");
		String fresh = call(this.key, "start_campaign", arguments).at("/structuredContent/confirm").asString("");
		assertThat(call(this.key, "start_campaign", confirmed(campaign, fresh)).path("isError").asBoolean()).isFalse();
		assertThat(status(campaign)).isEqualTo("running");
		assertThat(call(this.key, "pause_campaign", arguments).at("/structuredContent/campaign/status").asString(""))
			.isEqualTo("paused");
	}

	@Test
	void aTokenIsValidForFiveMinutes() {
		Caller caller = await(this.context.getBean(Authenticator.class).authenticate(this.key));
		ObjectNode arguments = JSON.createObjectNode().put("a", 1);
		McpTool.Call first = new McpTool.Call(caller, arguments,
				MockServerWebExchange.from(MockServerHttpRequest.get("/")));
		String token = await(confirmations(Duration.ZERO).confirmed("t", first, "s", JSON.createObjectNode(), DONE))
			.path("confirm")
			.asString("");
		McpTool.Call second = first.with(arguments.deepCopy().put("confirm", token));
		assertThat(
				await(confirmations(Duration.ofSeconds(290)).confirmed("t", second, "s", JSON.createObjectNode(), DONE))
					.has("confirm"))
			.isFalse();
		assertThatThrownBy(
				() -> confirmations(Duration.ofSeconds(301)).confirmed("t", second, "s", JSON.createObjectNode(), DONE))
			.isInstanceOf(Refused.class);
	}

	private ToolConfirmations confirmations(Duration later) {
		return new ToolConfirmations(this.context.getBean(Stamp.class), JSON, Clock.offset(Clock.systemUTC(), later));
	}

	@Test
	void aSuppressionIsLiftedAfterAConfirmation() {
		String arguments = "{\"email\": \"Lift@mcp.test\"}";
		assertThat(call(this.key, "lift_suppression", arguments).at("/structuredContent/failure/name").asString(""))
			.isEqualTo("suppression_not_found");
		call(this.key, "suppress_address", arguments);
		assertThat(call(this.key, "check_suppression", "{\"search\": \"lift@mcp.test\"}")
			.at("/structuredContent/suppressions")
			.size()).isEqualTo(1);
		String token = call(this.key, "lift_suppression", arguments).at("/structuredContent/confirm").asString("");
		call(this.key, "lift_suppression", "{\"email\": \"Lift@mcp.test\", \"confirm\": \"" + token + "\"}");
		assertThat(Given.rows("select count(*) from suppression where address = 'lift@mcp.test'")).containsExactly("0");
	}

	@Test
	void theToolsThatWriteActThroughTheApi() {
		String name = UUID.randomUUID() + ".test";
		JsonNode domain = call(this.key, "add_domain", "{\"name\": \"" + name + "\"}").at("/structuredContent/domain");
		String id = "{\"domain_id\": \"" + domain.path("id").asString("") + "\"}";
		assertThat(call(this.key, "verify_domain", id).at("/structuredContent/domain/status").asString(""))
			.isEqualTo("pending");
		JsonNode template = call(this.key, "save_template", "{\"name\": \"t2\", \"text_content\": \"Hi {{name}}\"}")
			.at("/structuredContent/template");
		String changed = "{\"template_id\": \"" + template.path("id").asString("") + "\", \"name\": \"t3\"}";
		assertThat(call(this.key, "save_template", changed).at("/structuredContent/template/name").asString(""))
			.isEqualTo("t3");
		assertThat(call(this.key, "save_contacts", contacts(UUID.randomUUID() + "@mcp.test"))
			.at("/structuredContent/count")
			.asInt()).isEqualTo(1);
		String sent = call(this.key, "send_email",
				mail("\"to\": [\"later@mcp.test\"], \"send_at\": \"2099-01-01T00:00:00Z\""))
			.at("/structuredContent/id")
			.asString("");
		assertThat(call(this.key, "cancel_email", "{\"email_id\": \"" + sent + "\"}").path("isError").asBoolean())
			.isEqualTo(call(this.key, "explain_email", "{\"email_id\": \"" + sent + "\"}").path("isError").asBoolean());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			https://evil.test      | 403
			http://localhost:8080  | 200
			http://localhost:8081  | 200
			http://localhost:9999  | 403
			-                      | 200
			""")
	void aPageOfAnotherOriginIsRefused(@Nullable String origin, int status) {
		Map<String, String> headers = (origin != null) ? Map.of("Origin", origin) : Map.of();
		assertThat(post(this.key, message("ping", "{}"), headers).getStatus().value()).isEqualTo(status);
	}

	@Test
	void otherMethodsCredentialsAndBodiesAreRefused() {
		for (HttpMethod method : List.of(HttpMethod.GET, HttpMethod.DELETE)) {
			this.client.call(method, this.key, "/mcp").expectStatus().isEqualTo(405);
		}
		this.client.post("/mcp", message("ping", "{}")).expectStatus().isUnauthorized();
		this.client.send(HttpMethod.POST, this.holder.person().token(), "/mcp", message("ping", "{}"))
			.expectStatus()
			.isForbidden();
		String large = message("ping", "{\"x\": \"" + "x".repeat(1024 * 1024) + "\"}");
		assertThat(post(this.key, large, Map.of()).getStatus().value()).isEqualTo(413);
		for (String wrong : List.of("[]", "{}", "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}", "x")) {
			assertThat(post(this.key, wrong, Map.of()).getStatus().value()).as(wrong).isEqualTo(400);
		}
		assertThat(json(post(this.key, message("nothing", "{}"), Map.of())).at("/error/code").asInt())
			.isEqualTo(-32601);
		assertThat(json(post(this.key, message("tools/call", "{\"name\": \"nothing\"}"), Map.of())).at("/error/code")
			.asInt()).isEqualTo(-32602);
	}

	@Test
	void thePageHasTheTableOfTheTools() throws IOException {
		String table = this.tools.all()
			.stream()
			.map((tool) -> "| `" + tool.name() + "` | "
					+ ((tool.permission() != null) ? "`" + tool.permission().contractName() + "`" : "–") + " | "
					+ tool.effect().name().toLowerCase(Locale.ROOT) + " | "
					+ tool.arguments()
						.stream()
						.map((argument) -> "`" + argument.name() + "`" + (argument.required() ? "" : "?"))
						.collect(Collectors.joining(", "))
					+ " | " + tool.description() + " |")
			.collect(Collectors.joining("\n"));
		assertThat(Files.readString(Path.of("../docs/mcp.md"))).contains(table);
	}

	private String campaign() {
		return call(this.key, "draft_campaign",
				"""
						{"name": "%s", "from": "a@%s", "subject": "s", "contact_book_id": "%s", "text_content": "Hi"}"""
					.formatted(UUID.randomUUID(), this.holder.domain(), this.book))
			.at("/structuredContent/campaign/id")
			.asString("");
	}

	private String contacts(String address) {
		return "{\"book_id\": \"%s\", \"contacts\": [{\"email\": \"%s\"}]}".formatted(this.book, address);
	}

	private static String confirmed(String campaign, String token) {
		return "{\"campaign_id\": \"%s\", \"confirm\": \"%s\"}".formatted(campaign, token);
	}

	private void refusedToken(String credential, String tool, String arguments) {
		JsonNode called = call(credential, tool, arguments);
		assertThat(called.path("isError").asBoolean()).as(called.toString()).isTrue();
		assertThat(called.at("/structuredContent/failure/message").asString("")).startsWith("confirm ");
	}

	private static String status(String campaign) {
		return Given.rows("select status from campaign where id = '%s'", campaign).getFirst();
	}

	private static int count(String recipient) {
		return Integer
			.parseInt(Given.rows("select count(*) from email where '%s' = any(to_emails)", recipient).getFirst());
	}

	private String mail(String more) {
		return "{\"from\": \"a@%s\", \"subject\": \"s\", \"text\": \"Hi\", %s}".formatted(this.holder.domain(), more);
	}

	private List<String> names(String credential) {
		return ask(credential, "tools/list", "{}").path("tools")
			.valueStream()
			.map((tool) -> tool.path("name").asString(""))
			.toList();
	}

	private JsonNode call(String credential, String tool, String arguments) {
		return ask(credential, "tools/call", "{\"name\": \"%s\", \"arguments\": %s}".formatted(tool, arguments));
	}

	/** The result of a request. */
	private JsonNode ask(String credential, String method, String params) {
		JsonNode response = json(post(credential, message(method, params), Map.of()));
		assertThat(response.path("id").asInt()).as(response.toString()).isEqualTo(7);
		assertThat(response.has("result")).as(response.toString()).isTrue();
		return response.path("result");
	}

	private JsonNode modern(String method, String params, @Nullable String name) {
		Map<String, String> headers = new LinkedHashMap<>(Map.of("MCP-Protocol-Version", MODERN, "Mcp-Method", method));
		if (name != null) {
			headers.put("Mcp-Name", name);
		}
		return json(post(this.key,
				message(method,
						"{" + params + "\"_meta\": {\"io.modelcontextprotocol/protocolVersion\": \"" + MODERN + "\"}}"),
				headers));
	}

	private static String message(String method, String params) {
		return "{\"jsonrpc\": \"2.0\", \"id\": 7, \"method\": \"%s\", \"params\": %s}".formatted(method, params);
	}

	private EntityExchangeResult<byte[]> post(String credential, String body, Map<String, String> headers) {
		WebTestClient.RequestBodySpec request = this.client.web()
			.post()
			.uri("/mcp")
			.headers((sent) -> sent.setBearerAuth(credential))
			.accept(MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM)
			.contentType(MediaType.APPLICATION_JSON);
		headers.forEach(request::header);
		return request.bodyValue(body).exchange().expectBody().returnResult();
	}

	private static JsonNode json(EntityExchangeResult<byte[]> response) {
		return JSON.readTree(new String(response.getResponseBody(), StandardCharsets.UTF_8));
	}

}
