package dev.mailroom.api.docs;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;

import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.event.Kind;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/** The OpenAPI document describes exactly the routes of the app. */
@ApiTest
class ContractTest {

	@LocalServerPort
	int port;

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
				.forEach((pattern) -> info.getMethodsCondition()
					.getMethods()
					.forEach((method) -> routes.add(method + " " + unnamed(pattern.getPatternString())))));
		assertThat(Contract.written().operations()).extracting((it) -> unnamed(it.toString()))
			.containsExactlyInAnyOrderElementsOf(routes);
	}

	@Test
	void theDocumentHasExactlyTheKindsOfEvents() {
		assertThat(Contract.written().tree().at("/components/schemas/EventKind/enum").valueStream())
			.extracting(JsonNode::stringValue)
			.containsExactlyElementsOf(Arrays.stream(Kind.values()).map(Kind::wire).toList());
	}

	@Test
	void theDocumentIsServedAsJsonAndAsYaml() {
		Client client = new Client(this.port);
		byte[] json = client.web().get().uri("/openapi.json").exchange().expectBody().returnResult().getResponseBody();
		JsonNode served = JsonMapper.shared().readTree(json);
		assertThat(served).isEqualTo(Contract.written().tree());
		client.web()
			.get()
			.uri("/openapi.yaml")
			.exchange()
			.expectHeader()
			.contentType("application/yaml")
			.expectBody(String.class)
			.value((yaml) -> assertThat(yaml).contains("openapi: 3.1"));
	}

	@Test
	void thePageShowsEveryOperationAndLoadsNoExternalResource() {
		Client client = new Client(this.port);
		String page = client.web()
			.get()
			.uri("/docs")
			.exchange()
			.expectHeader()
			.valueEquals("Content-Security-Policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'")
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		for (Contract.Operation operation : Contract.written().operations()) {
			assertThat(page).contains("<section id=\"" + operation.node().get("operationId").stringValue() + "\">",
					"<code>" + operation.path() + "</code>");
		}
		assertThat(page).doesNotContain("<script", "src=", "href=\"http", "style=\"");
		client.web().get().uri("/docs/style.css").exchange().expectStatus().isOk();
	}

	@Test
	void everyLinkOfThePageHasATarget() {
		Client client = new Client(this.port);
		String page = client.web()
			.get()
			.uri("/docs")
			.exchange()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		List<String> links = List.copyOf(new TreeSet<>(
				Pattern.compile("href=\"([^\"]+)\"").matcher(page).results().map((it) -> it.group(1)).toList()));
		for (String link : links) {
			if (link.startsWith("#")) {
				assertThat(page).contains("id=\"" + link.substring(1) + "\"");
			}
			else {
				client.web().get().uri(link).exchange().expectStatus().isOk();
			}
		}
	}

	private static String unnamed(String route) {
		return route.replaceAll("\\{[^}]*}", "{}");
	}

}
