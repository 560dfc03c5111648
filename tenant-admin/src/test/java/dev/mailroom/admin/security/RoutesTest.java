package dev.mailroom.admin.security;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.AccessTokens;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Forge;
import dev.mailroom.account.Sessions;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.secret.Seal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.function.server.support.RouterFunctionMapping;
import org.springframework.web.reactive.handler.AbstractUrlHandlerMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every route of the admin and the management port outside GraphQL, with each kind of
 * credential. The list of routes is compared with those of the app. The fields of GraphQL
 * are in {@code MatrixTest}.
 */
@WithAdmin
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoutesTest {

	/** Credentials that are none: every request that sends one is refused. */
	private static final Set<String> INVALID = Set.of("garbage", "a token of an ended session", "an expired token",
			"a forged token", "an unsigned token");

	/** People who may read the account that owns the objects. */
	private static final Set<String> OF_THE_ACCOUNT = Set.of("its owner", "its admin", "its developer", "its viewer",
			"its owner while paused", "its unverified owner");

	/** Routes that do not depend on a valid credential, with their status. */
	private static final Map<String, Integer> OPEN = Map.of("GET /", 200, "GET /{*path}", 200, "GET /theme.js", 200,
			"GET /icon.svg", 200, "GET /assets/**", 404, "GET /preview/{token}", 404, "POST /preview/{token}", 404,
			"GET /download/{token}", 404);

	private static final String EXPORT = "GET /export/contact-books/{book}";

	private static final String AUDIT_LOG = "GET /export/audit-log";

	private static final String ACCOUNT = "GET /export/account";

	private static final String SINCE = "?from=2026-01-01T00:00:00Z";

	@LocalServerPort
	int port;

	@LocalManagementPort
	int managementPort;

	@Autowired
	ApplicationContext context;

	@Autowired
	Seal seal;

	private final Map<String, String> credentials = new LinkedHashMap<>();

	/** A contact book of each account that a person of this test reads. */
	private final Map<String, String> books = new LinkedHashMap<>();

	@BeforeAll
	void createCredentials() throws JOSEException {
		Person owner = Person.in(this.context);
		String book = book(owner);
		put("its owner", owner, book);
		for (String role : List.of("admin", "developer", "viewer")) {
			Person member = Person.in(this.context);
			Given.run("update member set account_id = '%s', role = '%s' where person_id = '%s'", owner.account(), role,
					member.account());
			put("its " + role, member, book);
		}
		Person paused = Person.in(this.context);
		put("its owner while paused", paused, book(paused));
		Given.run("update account set paused_reason = 'complaints' where id = '%s'", paused.account());
		Person unverified = Person.in(this.context);
		put("its unverified owner", unverified, book(unverified));
		Given.run("update account set email_verified_at = null where id = '%s'", unverified.account());
		put("a stranger", Person.in(this.context), book);
		put("an operator", Person.operator(this.context), book);
		createOthers(owner);
	}

	private void createOthers(Person owner) throws JOSEException {
		UUID domain = Given.domain(owner.account());
		this.credentials.put("an API key of the account",
				await(this.context.getBean(ApiKeys.class).create(owner.scope(), domain, "k", List.of("emails.send")))
					.text());
		this.credentials.put("an operator without the second factor",
				await(this.context.getBean(AccessTokens.class)
					.issue(await(this.context.getBean(Sessions.class).start(Scope.of(owner.account()))),
							AccessTokens.Grant.ENROLMENT, ""))
					.text());
		Person ended = Person.in(this.context);
		Given.run("delete from session where account_id = '%s'", ended.account());
		Forge forge = new Forge(this.seal, owner.token());
		this.credentials.put("garbage", "garbage");
		this.credentials.put("a token of an ended session", ended.token());
		this.credentials.put("an expired token", forge.expired(45));
		this.credentials.put("a forged token", forge.forgeries().get("known kid, other key"));
		this.credentials.put("an unsigned token", forge.forgeries().get("alg none"));
	}

	private void put(String name, Person person, String book) {
		this.credentials.put(name, person.token());
		this.books.put(name, book);
	}

	private String book(Person person) {
		return GraphQl.at(this.port)
			.as(person)
			.change("createContactBook", "(input: { name: \"" + UUID.randomUUID() + "\" })", "contactBook { id }")
			.path("contactBook")
			.path("id")
			.asString();
	}

	@Test
	void theMatrixHasEveryRouteOfTheApp() {
		Set<String> expected = new TreeSet<>(OPEN.keySet());
		expected.add(EXPORT);
		expected.add(AUDIT_LOG);
		expected.add(ACCOUNT);
		assertThat(routes()).isEqualTo(expected);
	}

	/** The routes of all kinds, without those of GraphQL. */
	private Set<String> routes() {
		return this.context.getBeansOfType(HandlerMapping.class)
			.values()
			.stream()
			.flatMap(RoutesTest::routes)
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static Stream<String> routes(HandlerMapping mapping) {
		return switch (mapping) {
			case RequestMappingInfoHandlerMapping methods -> methods.getHandlerMethods()
				.keySet()
				.stream()
				.flatMap((info) -> info.getPatternsCondition()
					.getPatterns()
					.stream()
					.flatMap((pattern) -> info.getMethodsCondition()
						.getMethods()
						.stream()
						.map((method) -> method + " " + pattern)));
			case AbstractUrlHandlerMapping files ->
				files.getHandlerMap().keySet().stream().map((pattern) -> "GET " + pattern);
			case RouterFunctionMapping functions ->
				Stream.of(String.valueOf(functions.getRouterFunction())).filter((it) -> !it.contains("/graphql"));
			default -> Stream.of(mapping.getClass().getName());
		};
	}

	@Test
	void theAuditLogIsExportedToOperatorsOnly() {
		String route = AUDIT_LOG + SINCE;
		assertThat(status(route, null)).isEqualTo(401);
		this.credentials.forEach((name, credential) -> assertThat(status(route, credential)).as(name)
			.isEqualTo(INVALID.contains(name) ? 401 : name.equals("an operator") ? 200 : 403));
	}

	@Test
	void anAccountIsExportedToItsOwners() {
		Set<String> others = Set.of("its admin", "its developer", "its viewer", "an API key of the account",
				"an operator without the second factor");
		assertThat(status(ACCOUNT, null)).isEqualTo(401);
		this.credentials.forEach((name, credential) -> assertThat(status(ACCOUNT, credential)).as(name)
			.isEqualTo(INVALID.contains(name) ? 401 : others.contains(name) ? 403 : 200));
	}

	@Test
	void openRoutesAnswerEveryValidCredentialAlikeAndRefuseInvalidOnes() {
		OPEN.forEach((route, status) -> {
			assertThat(status(route, null)).as(route).isEqualTo(status);
			this.credentials.forEach((name, credential) -> {
				int expected = INVALID.contains(name) ? 401 : name.contains("API key") ? 403 : status;
				assertThat(status(route, credential)).as(route + " with " + name).isEqualTo(expected);
			});
		});
	}

	@Test
	void anExportIsForThePeopleOfItsAccount() {
		assertThat(status(EXPORT, null)).isEqualTo(401);
		this.credentials.forEach((name, credential) -> {
			int expected = INVALID.contains(name) ? 401 : name.contains("API key") || name.contains("factor") ? 403
					: OF_THE_ACCOUNT.contains(name) ? 200 : 404;
			String route = EXPORT.replace("{book}", this.books.getOrDefault(name, this.books.get("its owner")));
			assertThat(status(route, credential)).as(name).isEqualTo(expected);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "TRACE" })
	void otherMethodsOfARouteChangeAndRevealNothing(String method) {
		String token = this.credentials.get("its owner");
		Stream.concat(Stream.of(EXPORT, ACCOUNT, AUDIT_LOG + SINCE), OPEN.keySet().stream())
			.forEach((route) -> assertThat(status(route.replaceFirst("\\w+", method), token)).as(method + " " + route)
				.isIn(Set.of("HEAD", "OPTIONS").contains(method) ? List.of(200, 403, 404, 405)
						: List.of(400, 404, 405)));
	}

	@Test
	void theManagementPortChangesOnlyLogLevelsAndNeedsNoCredential() {
		WebTestClient management = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.managementPort)
			.build();
		byte[] links = management.get().uri("/actuator").exchange().expectBody().returnResult().getResponseBody();
		assertThat(JsonMapper.shared().readTree(links).get("_links").propertyNames()).containsExactlyInAnyOrder("self",
				"health", "health-path", "info", "loggers", "loggers-name", "prometheus");
		for (String path : List.of("/actuator/health", "/actuator/info", "/actuator/prometheus")) {
			this.credentials.forEach((name, credential) -> management.get()
				.uri(path)
				.headers((headers) -> headers.setBearerAuth(credential))
				.exchange()
				.expectStatus()
				.isEqualTo(INVALID.contains(name) ? 401 : name.contains("API key") ? 403 : 200));
			management.get().uri(path).exchange().expectStatus().isOk();
			for (HttpMethod method : List.of(HttpMethod.POST, HttpMethod.PUT, HttpMethod.PATCH, HttpMethod.DELETE)) {
				management.method(method).uri(path).exchange().expectStatus().isEqualTo(405);
			}
		}
		for (String path : List.of("/", "/export/contact-books/" + UUID.randomUUID(), "/actuator/env",
				"/actuator/heapdump")) {
			management.get().uri(path).exchange().expectStatus().isNotFound();
		}
	}

	private int status(String route, @Nullable String credential) {
		String[] words = route.split(" ", 2);
		return GraphQl.at(this.port)
			.web()
			.method(HttpMethod.valueOf(words[0]))
			.uri(words[1].replace("/{*path}", "/domains").replace("**", "x.js").replaceAll("\\{\\w+}", token()))
			.accept(MediaType.TEXT_HTML, MediaType.ALL)
			.headers((headers) -> {
				if (credential != null) {
					headers.setBearerAuth(credential);
				}
			})
			.exchange()
			.returnResult(byte[].class)
			.getStatus()
			.value();
	}

	/** A value of a variable of a path that names nothing. */
	private static String token() {
		return UUID.randomUUID().toString();
	}

}
