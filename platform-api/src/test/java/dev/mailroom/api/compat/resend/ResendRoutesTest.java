package dev.mailroom.api.compat.resend;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.security.AccountKeys;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/** Routes for clients of Resend: credentials, errors and the modes of a batch. */
@WithApi
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResendRoutesTest {

	private static final String BASE = "/compat/resend";

	/** The routes, each with the permission that it needs. */
	private static final Map<String, String> ROUTES = Map.ofEntries(Map.entry("POST /emails", "emails.send"),
			Map.entry("POST /emails/batch", "emails.send"), Map.entry("GET /emails", "emails.read"),
			Map.entry("GET /emails/{id}", "emails.read"), Map.entry("PATCH /emails/{id}", "emails.send"),
			Map.entry("POST /emails/{id}/cancel", "emails.send"), Map.entry("POST /domains", "domains.write"),
			Map.entry("GET /domains", "domains.read"), Map.entry("GET /domains/{id}", "domains.read"),
			Map.entry("PATCH /domains/{id}", "domains.write"), Map.entry("DELETE /domains/{id}", "domains.write"),
			Map.entry("POST /domains/{id}/verify", "domains.write"),
			Map.entry("POST /suppressions", "suppressions.write"),
			Map.entry("POST /suppressions/batch/add", "suppressions.write"),
			Map.entry("POST /suppressions/batch/remove", "suppressions.write"),
			Map.entry("GET /suppressions", "suppressions.read"),
			Map.entry("GET /suppressions/{name}", "suppressions.read"),
			Map.entry("DELETE /suppressions/{name}", "suppressions.write"));

	/** Permissions that {@code send} includes. */
	private static final Set<String> BY_SEND = Set.of("emails.send", "emails.read");

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	Client client;

	@Autowired
	@Qualifier("requestMappingHandlerMapping")
	RequestMappingHandlerMapping mapping;

	private Person person;

	private UUID domain;

	private String domainKey;

	private final Map<String, String> accountKeys = new LinkedHashMap<>();

	@BeforeAll
	void createKeys() {
		this.person = Person.in(this.context);
		this.domain = Given.domain(this.person.account());
		this.domainKey = await(this.keys.create(Scope.of(this.person.account()), this.domain, "domain",
				new ArrayList<>(List.of("send"))))
			.text();
		AccountKeys.PERMISSIONS.forEach((permission) -> this.accountKeys.put(permission,
				AccountKeys.of(this.keys, this.person.account(), permission).text()));
	}

	static Stream<Map.Entry<String, String>> routes() {
		return ROUTES.entrySet().stream();
	}

	@Test
	void theTableHasAllRoutes() {
		TreeSet<String> routes = new TreeSet<>();
		this.mapping.getHandlerMethods()
			.keySet()
			.forEach((info) -> info.getPatternsCondition()
				.getPatterns()
				.stream()
				.filter((pattern) -> pattern.getPatternString().startsWith("/compat/"))
				.forEach((pattern) -> info.getMethodsCondition()
					.getMethods()
					.forEach((method) -> routes
						.add(method + " " + pattern.getPatternString().substring(BASE.length())))));
		assertThat(routes).isEqualTo(new TreeSet<>(ROUTES.keySet()));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("routes")
	void aRouteAcceptsItsPermissionAndThoseThatIncludeIt(Map.Entry<String, String> route) {
		String needed = route.getValue();
		this.accountKeys.forEach((permission, key) -> {
			EntityExchangeResult<byte[]> response = call(route.getKey(), key);
			boolean accepted = needed.equals(permission) || needed.equals(permission.replace(".write", ".read"))
					|| (permission.equals("send") && BY_SEND.contains(needed)) || (permission.equals("emails.sandbox")
							&& route.getKey().startsWith("POST /emails") && !route.getKey().endsWith("cancel"));
			if (accepted) {
				assertThat(response.getStatus().value()).as(permission).isNotIn(401, 500, 503);
			}
			else {
				refused(response, 401, "restricted_api_key");
				assertThat(response.getResponseHeaders().getFirst(HttpHeaders.WWW_AUTHENTICATE)).as(permission)
					.isEqualTo("Bearer error=\"insufficient_scope\", scope=\"" + needed + "\"");
			}
		});
		EntityExchangeResult<byte[]> ofDomain = call(route.getKey(), this.domainKey);
		assertThat(ofDomain.getStatus().value() == 401).isNotEqualTo(BY_SEND.contains(needed));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("routes")
	void anInvalidCredentialIsRefusedAndAPersonMayDoWhatTheRestOfTheApiPermits(Map.Entry<String, String> route) {
		refused(call(route.getKey(), ""), 401, "missing_api_key");
		refused(call(route.getKey(), "re_unknown"), 403, "invalid_api_key");
		refused(call(route.getKey(), this.accountKeys.get("send") + "x"), 403, "invalid_api_key");
		boolean sends = Set.of("POST /emails", "POST /emails/batch").contains(route.getKey());
		assertThat(call(route.getKey(), this.person.token()).getStatus().value() == 401).isEqualTo(sends);
	}

	@Test
	void unknownRoutesAndMethodsHaveTheErrorsOfResend() {
		refused(call("GET /nowhere", this.person.token()), 404, "not_found");
		refused(call("POST /auth/login", ""), 401, "missing_api_key");
		refused(call("DELETE /domains", this.person.token()), 405, "method_not_allowed");
		this.client.web()
			.get()
			.uri(BASE + "/emails")
			.accept(MediaType.APPLICATION_PROBLEM_JSON)
			.exchange()
			.expectStatus()
			.isUnauthorized()
			.expectHeader()
			.contentType(MediaType.APPLICATION_JSON);
	}

	@Test
	void theNameOfAFaultDependsOnItsField() {
		refused(send("/emails", "{}"), 422, "missing_required_field");
		refused(send("/emails", "[]"), 422, "validation_error");
		refused(send("/emails", "nothing"), 422, "validation_error");
		refused(send("/emails", mail().replace("Ann <a@", "Ann <")), 422, "invalid_from_address");
		refused(send("/emails", mail().replace("\"s\"", "5")), 422, "validation_error");
		refused(send("/emails", mail().replace(this.domain.toString(), "other")), 403, "validation_error");
		refused(send("/emails/batch", "[" + mail() + ",7]"), 422, "validation_error");
		refused(call("GET /emails?limit=0", this.domainKey), 422, "invalid_parameter");
		refused(call("GET /emails?after=x", this.domainKey), 422, "invalid_parameter");
		refused(call("GET /suppressions?origin=x", this.accountKeys.get("suppressions.read")), 422,
				"invalid_parameter");
	}

	@Test
	void aSpentQuotaHasTheNameOfItsPeriod() {
		Person other = Person.in(this.context);
		UUID sender = Given.domain(other.account());
		String key = AccountKeys.of(this.keys, other.account(), "emails.send").text();
		String mail = mail().replace(this.domain.toString(), sender.toString());
		Given.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 100)", other.account());
		EntityExchangeResult<byte[]> refused = call("POST /emails", key, mail);
		refused(refused, 429, "daily_quota_exceeded");
		assertThat(refused.getResponseHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isNotNull();
	}

	@Test
	void aStrictBatchWithAKeyIsStoredOnlyIfAllItsMailsAreAccepted() {
		String other = mail().replace(this.domain.toString(), "other");
		String key = UUID.randomUUID().toString();
		long before = count();
		refused(batch(key, "[" + mail() + "," + other + "]"), 403, "validation_error");
		refused(batch(key, "[" + mail() + ",{}]"), 422, "missing_required_field");
		assertThat(count()).isEqualTo(before);
		EntityExchangeResult<byte[]> first = batch(key, "[" + mail() + "," + mail() + "]");
		assertThat(JsonPath.<List<String>>read(text(first), "$.data[*].id")).hasSize(2);
		EntityExchangeResult<byte[]> second = batch(key, "[" + mail() + "," + mail() + "]");
		assertThat(text(second)).isEqualTo(text(first));
		assertThat(second.getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
		refused(batch(key, "[" + mail() + "]"), 409, "invalid_idempotent_request");
		assertThat(count()).isEqualTo(before + 2);
	}

	@Test
	void aTemplateIsNamedAsByResend() {
		String created = text(this.client
			.send(HttpMethod.POST, this.person.token(), "/api/templates",
					"{\"name\": \"t\", \"subject\": \"Hi {{name}}\", \"text_content\": \"x\"}")
			.expectBody()
			.returnResult());
		String id = JsonPath.read(created, "$.data.template.id");
		String sent = text(send("/emails", """
				{"from": "a@%s.test", "to": "b@c.test", "template": {"id": "%s", "variables": {"name": "Ann"}}}"""
			.formatted(this.domain, id)));
		String shown = text(call("GET /emails/" + JsonPath.<String>read(sent, "$.id"), this.domainKey));
		assertThat(JsonPath.<String>read(shown, "$.subject")).isEqualTo("Hi Ann");
	}

	@ParameterizedTest
	@CsvSource({ "hard_bounce, bounce", "complaint, complaint", "manual, manual", "unsubscribe, manual" })
	void aReasonHasAnOrigin(String reason, String origin) {
		String email = reason + "@origin.test";
		this.client
			.send(HttpMethod.POST, this.person.token(), "/api/suppressions",
					"{\"email\": \"%s\", \"reason\": \"%s\"}".formatted(email, reason))
			.expectStatus()
			.is2xxSuccessful();
		String key = this.accountKeys.get("suppressions.write");
		assertThat(JsonPath.<String>read(text(call("GET /suppressions/" + email, key)), "$.origin")).isEqualTo(origin);
		assertThat(JsonPath.<List<String>>read(text(call("GET /suppressions?limit=100&origin=" + origin, key)),
				"$.data[*].email"))
			.contains(email);
	}

	private String mail() {
		return "{\"from\":\"Ann <a@" + this.domain + ".test>\",\"to\":[\"b@c.test\"],\"subject\":\"s\",\"text\":\"x\"}";
	}

	private long count() {
		return Long.parseLong(
				Given.rows("select count(*) from email where account_id = '%s'", this.person.account()).getFirst());
	}

	private EntityExchangeResult<byte[]> send(String path, String body) {
		return call("POST " + path, this.domainKey, body);
	}

	private EntityExchangeResult<byte[]> batch(String key, String body) {
		return this.client.web()
			.post()
			.uri(BASE + "/emails/batch")
			.headers((headers) -> headers.setBearerAuth(this.domainKey))
			.header("Idempotency-Key", key)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange()
			.expectBody()
			.returnResult();
	}

	/** Calls a route for things that do not exist. */
	private EntityExchangeResult<byte[]> call(String route, String credential) {
		boolean hasBody = route.startsWith("POST ") || route.startsWith("PATCH ");
		return call(route, credential, hasBody ? "{}" : "");
	}

	private EntityExchangeResult<byte[]> call(String route, String credential, String body) {
		String path = BASE + route.substring(route.indexOf(' ') + 1);
		WebTestClient.RequestBodySpec request = this.client.web()
			.method(HttpMethod.valueOf(route.substring(0, route.indexOf(' '))))
			.uri(path.replaceAll("\\{\\w+}", UUID.randomUUID().toString()));
		if (!credential.isEmpty()) {
			request.headers((headers) -> headers.setBearerAuth(credential));
		}
		WebTestClient.ResponseSpec response = body.isEmpty() ? request.exchange()
				: request.contentType(MediaType.APPLICATION_JSON).bodyValue(body).exchange();
		return response.expectBody().returnResult();
	}

	private static void refused(EntityExchangeResult<byte[]> response, int status, String name) {
		String body = text(response);
		assertThat(response.getStatus().value()).as(body).isEqualTo(status);
		Map<String, Object> error = JsonPath.read(body, "$");
		assertThat(error.keySet()).containsExactlyInAnyOrder("statusCode", "name", "message");
		assertThat(error).containsEntry("statusCode", status).containsEntry("name", name);
	}

	private static String text(EntityExchangeResult<byte[]> response) {
		return new String(response.getResponseBody(), StandardCharsets.UTF_8);
	}

}
