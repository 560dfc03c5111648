package dev.mailroom.api.docs;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.event.EventKind;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/** The OpenAPI document describes exactly the routes of the app. */
@WithApi
class ContractTest {

	/** Another path of GET /api/emails/logs. */
	private static final String SECOND_PATH = "GET /api/emails";

	/** Has messages in place of a body. */
	private static final String STREAM = "GET /api/webhooks/listen";

	private static final int MAX_ASSET_BYTES = 8 * 1024 * 1024;

	@LocalServerPort
	int port;

	@Autowired
	Client client;

	@Autowired
	Site site;

	@Autowired
	@Qualifier("requestMappingHandlerMapping")
	RequestMappingHandlerMapping mapping;

	@Test
	void theDocumentHasExactlyTheRoutesOfTheApp() {
		TreeSet<String> routes = new TreeSet<>();
		this.mapping.getHandlerMethods()
			.keySet()
			.forEach((info) -> info.getPatternsCondition()
				.getPatterns()
				.stream()
				// Others describe those; ResendRoutesTest and McpTest list them.
				.filter((pattern) -> !pattern.getPatternString().startsWith("/compat/")
						&& !pattern.getPatternString().equals("/mcp"))
				.forEach((pattern) -> info.getMethodsCondition()
					.getMethods()
					.forEach((method) -> routes.add(method + " " + unnamed(pattern.getPatternString())))));
		assertThat(Contract.written().operations()).extracting((it) -> unnamed(it.toString()))
			.containsExactlyInAnyOrderElementsOf(routes);
	}

	@Test
	void eachOperationForKeysHasItsOwnMethodOfTheSdks() {
		Set<String> methods = new HashSet<>();
		for (Contract.Operation operation : Contract.written().operations()) {
			JsonNode sdk = operation.node().path("x-sdk");
			if (operation.permission().equals("none") || Set.of(SECOND_PATH, STREAM).contains(operation.toString())) {
				assertThat(sdk.stringValue()).as("%s", operation).isEqualTo("none");
				continue;
			}
			String method = sdk.path("group").asString("") + "." + sdk.path("method").asString("");
			assertThat(method).as("%s", operation).matches("[a-z][A-Za-z]*\\.[a-z][A-Za-z]*");
			assertThat(methods.add(method)).as("%s is called %s, like another operation", operation, method).isTrue();
		}
	}

	@Test
	void theDocumentHasExactlyTheKindsOfEvents() {
		assertThat(Contract.written().tree().at("/components/schemas/EventKind/enum").valueStream())
			.extracting(JsonNode::stringValue)
			.containsExactlyElementsOf(Arrays.stream(EventKind.values()).map(EventKind::contractName).toList());
	}

	@Test
	void theDocumentIsServedAsJsonAndAsYaml() {
		byte[] json = this.client.web()
			.get()
			.uri("/openapi.json")
			.exchange()
			.expectBody()
			.returnResult()
			.getResponseBody();
		JsonNode served = JsonMapper.shared().readTree(json);
		assertThat(served).isEqualTo(Contract.written().tree());
		this.client.web()
			.get()
			.uri("/openapi.yaml")
			.exchange()
			.expectHeader()
			.contentType("application/yaml")
			.expectBody(String.class)
			.value((yaml) -> assertThat(yaml).contains("openapi: 3.1"));
	}

	@Test
	void theReferenceAndWhatItLoadsComeFromThisServer() {
		String page = this.client.web()
			.get()
			.uri("/docs/reference")
			.exchange()
			.expectHeader()
			.valueEquals("Content-Security-Policy", DocsController.POLICY)
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		assertThat(DocsController.POLICY).startsWith("default-src 'none'; script-src 'self';")
			.doesNotContain("http", "eval", "*");
		assertThat(page).doesNotContain("style=", "<script>", "src=\"http", "href=\"http", "src=\"//", "href=\"//");
		WebTestClient plain = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.port)
			.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(MAX_ASSET_BYTES))
			.build();
		List<String> links = Pattern.compile("(?:href|src)=\"(/[^\"]+)\"")
			.matcher(page)
			.results()
			.map((it) -> it.group(1))
			.toList();
		assertThat(links).contains("/docs/assets/scalar.js", "/openapi.json");
		links.forEach((link) -> plain.get()
			.uri(link)
			.header("Accept-Encoding", "br")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.consumeWith((body) -> assertThat(body.getResponseBody()).isNotEmpty()));
		plain.get().uri("/docs/assets/geist.woff2").exchange().expectStatus().isOk();
		plain.head()
			.uri("/docs/assets/scalar.js")
			.header("Accept-Encoding", "br")
			.exchange()
			.expectHeader()
			.valueEquals("Content-Encoding", "br");
	}

	@Test
	void everyPageOfTheSiteIsServedAsHtmlWithItsPolicyAndAsMarkdown() {
		assertThat(this.site.policy()).startsWith("default-src 'none'; script-src 'self' 'sha256-")
			.doesNotContain("http", "eval", "*");
		assertThat(this.site.pages()).hasSizeGreaterThan(50).startsWith(new Site.Page("index", "Mailroom"));
		for (Site.Page page : this.site.pages()) {
			String address = "/docs" + (page.name().equals("index") ? "" : "/" + page.name());
			String html = text(address, MediaType.TEXT_HTML);
			assertThat(html).as(page.name())
				.contains("</h1>")
				.doesNotContain("src=\"http", "src=\"//", "<code></code>");
			this.client.web()
				.head()
				.uri(address)
				.exchange()
				.expectStatus()
				.isOk()
				.expectHeader()
				.valueEquals("Content-Security-Policy", this.site.policy());
			assertThat(text("/docs/" + page.name() + ".md", MediaType.valueOf("text/markdown")))
				.isEqualTo(this.site.markdown(page))
				.startsWith("# ");
		}
		this.client.web().get().uri("/docs/nothing").exchange().expectStatus().isNotFound();
		this.client.web().get().uri("/docs/").exchange().expectHeader().location("/docs");
	}

	@Test
	void modelsFindThePagesByAListAndReadThemAtOnce() {
		assertThat(text("/llms.txt", MediaType.TEXT_PLAIN)).startsWith("# Mailroom")
			.contains("/docs/credentials.md", "/openapi.json");
		assertThat(text("/llms-full.txt", MediaType.TEXT_PLAIN)).contains("# Credentials for programs")
			.hasSizeLessThan(400_000);
	}

	private String text(String address, MediaType type) {
		String body = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.port)
			.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(MAX_ASSET_BYTES))
			.build()
			.get()
			.uri(address)
			.exchange()
			.expectStatus()
			.isOk()
			.expectHeader()
			.contentType(new MediaType(type, StandardCharsets.UTF_8))
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		return Objects.requireNonNull(body);
	}

	@Test
	void everyErrorOfTheDocumentHasAPage() {
		TreeSet<String> errors = new TreeSet<>();
		Contract.written()
			.tree()
			.at("/components/responses")
			.valueStream()
			.forEach((response) -> errors.addAll(response.at("/content/application~1json/examples").propertyNames()));
		assertThat(errors).hasSizeGreaterThan(20);
		errors
			.forEach((error) -> this.client.web().get().uri("/docs/errors/" + error).exchange().expectStatus().isOk());
	}

	private static String unnamed(String route) {
		return route.replaceAll("\\{[^}]*}", "{}");
	}

}
