package dev.mailroom.api.security;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Ask;
import dev.mailroom.api.docs.Contract;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/** API keys of whole accounts. */
@WithApi
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccountKeyTest {

	private static final String SANDBOX = "delivered@simulator.mailroom.localhost";

	/** Permissions that {@code send} includes. */
	private static final Set<String> BY_SEND = Set.of("emails.send", "emails.read", "inbound.read", "analytics.read");

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	Client client;

	private Person person;

	private final Map<String, String> byPermission = new LinkedHashMap<>();

	@BeforeAll
	void createKeys() {
		this.person = Person.in(this.context);
		AccountKeys.PERMISSIONS.forEach((permission) -> this.byPermission.put(permission,
				AccountKeys.of(this.keys, this.person.account(), permission).text()));
	}

	static Stream<Contract.Operation> operations() {
		return Contract.written().operations().stream().filter((it) -> !it.credential().equals("none"));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("operations")
	void anOperationAcceptsThePermissionThatItNamesAndThoseThatIncludeIt(Contract.Operation operation) {
		this.byPermission.forEach((permission, key) -> {
			Ask ask = Ask.of(operation);
			if (permission.equals("emails.sandbox")) {
				ask = operation.path().equals("/api/emails/mime") ? ask.filtered("to", SANDBOX)
						: ask.has("to") ? ask.with("to", SANDBOX) : ask;
			}
			EntityExchangeResult<byte[]> response = ask.by(this.client, key).expectBody().returnResult();
			String body = new String(response.getResponseBody(), StandardCharsets.UTF_8);
			String call = operation + " with " + permission + " " + body;
			if (isAccepted(operation, permission)) {
				assertThat(response.getStatus().value()).as(call).isNotIn(401, 500, 503);
				assertThat(body).as(call).doesNotContain("\"Forbidden\"");
			}
			else {
				assertThat(response.getStatus().value()).as(call).isEqualTo(403);
				assertThat(body).as(call).contains("\"Forbidden\"");
				assertThat(response.getResponseHeaders().getFirst(HttpHeaders.WWW_AUTHENTICATE)).as(call)
					.isEqualTo(challenge(operation));
				assertThat(body).as(call)
					.contains(challenge(operation) != null ? "permission " + operation.permission() : "sign in");
			}
		});
	}

	private static boolean isAccepted(Contract.Operation operation, String permission) {
		String needed = operation.permission();
		return needed.equals("any") || needed.equals(permission)
				|| needed.equals(permission.replaceFirst("\\.write$", ".read"))
				|| (permission.equals("send") && BY_SEND.contains(needed))
				|| operation.node().path("x-sandbox-permission").asString("").equals(permission);
	}

	private static @Nullable String challenge(Contract.Operation operation) {
		return operation.permission().equals("none") ? null
				: "Bearer error=\"insufficient_scope\", scope=\"" + operation.permission() + "\"";
	}

	@Test
	void aKeyOfTheAccountIsCreatedShownAndRevokedLikeOthers() {
		String expires = Instant.now().plus(Duration.ofDays(90)).toString();
		String created = create("""
				{"account": true, "keyName": "deploy", "permissions": ["templates.write", "domains.read"],
				 "expires_at": "%s"}""".formatted(expires), 201);
		String id = JsonPath.read(created, "$.data.apiKey.id");
		String key = JsonPath.read(created, "$.data.apiKey.key");
		assertThat(created).contains("\"account\":true", "\"domain_id\":null");
		String listed = text(this.client.get(this.person.token(), "/api/api-keys/" + id));
		assertThat(JsonPath.<Boolean>read(listed, "$.data.apiKey.account")).isTrue();
		assertThat(JsonPath.<String>read(listed, "$.data.apiKey.domain_id")).isNull();
		assertThat(Instant.parse(JsonPath.read(listed, "$.data.apiKey.expires_at")))
			.isBetween(Instant.parse(expires).minusSeconds(1), Instant.parse(expires));
		this.client.get(key, "/api/domains").expectStatus().isOk();
		this.client.call(HttpMethod.DELETE, this.person.token(), "/api/api-keys/" + id).expectStatus().isOk();
		TokenTest.unauthorized(this.client.get(key, "/api/domains"));
	}

	@Test
	void anExpiredKeyIsRefusedLikeARevokedOne() {
		String key = AccountKeys.of(this.keys, this.person.account(), "usage.read").text();
		Given.run("update api_key set expires_at = now() - interval '1 second' where prefix = '%s'",
				key.substring(0, 15));
		TokenTest.unauthorized(this.client.get(key, "/api/usage"));
		TokenTest.unauthorized(this.client.get(key, "/api/api-keys/current"));
		TokenTest.unauthorized(this.client.send(HttpMethod.POST, key, "/api/emails", "{}"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					{"keyName": "a", "account": true}                                                      | permissions
					{"keyName": "a", "account": true, "permissions": []}                                   | permissions
					{"keyName": "a", "account": true, "permissions": ["fly"]}                              | permissions
					{"account": true, "permissions": ["send"]}                                             | keyName
					{"keyName": "a", "account": true, "permissions": ["send"], "expires_at": "soon"}       | expires_at
					{"keyName": "a", "account": true, "permissions": ["send"], "expires_at": "2020-01-01T00:00:00Z"} | expires_at
					{"keyName": "a", "account": true, "permissions": ["send"], "domainId": "DOMAIN"}       | domainId
					{"keyName": "a", "account": false, "permissions": ["send"]}                            | domainId
					{"keyName": "a", "domainId": "DOMAIN", "permissions": ["templates.read"]}              | permissions
					""")
	void aFaultOfANewKeyIsReportedWithItsField(String body, String field) {
		String domain = Given.domain(this.person.account()).toString();
		assertThat(JsonPath.<String>read(create(body.replace("DOMAIN", domain), 400), "$.details[0].field"))
			.isEqualTo(field);
	}

	@Test
	void aDeveloperGivesAKeyOnlyWhatTheRolePermits() {
		Person developer = Person.in(this.context);
		Given.run("update member set account_id = '%s', role = 'developer' where person_id = '%s'",
				this.person.account(), developer.account());
		for (String permission : AccountKeys.PERMISSIONS) {
			boolean admins = Set.of("contacts.write", "campaigns.write", "campaigns.send", "suppressions.write")
				.contains(permission);
			String body = "{\"account\": true, \"keyName\": \"%s\", \"permissions\": [\"%s\"]}"
				.formatted(UUID.randomUUID(), permission);
			EntityExchangeResult<byte[]> response = this.client
				.send(HttpMethod.POST, developer.token(), "/api/api-keys", body)
				.expectBody()
				.returnResult();
			assertThat(response.getStatus().value()).as(permission).isEqualTo(admins ? 403 : 201);
		}
		String id = AccountKeys.of(this.keys, this.person.account(), "usage.read").key().id().toString();
		this.client
			.send(HttpMethod.PATCH, developer.token(), "/api/api-keys/" + id, "{\"permissions\":[\"campaigns.send\"]}")
			.expectStatus()
			.isForbidden();
		this.client
			.send(HttpMethod.PATCH, developer.token(), "/api/api-keys/" + id, "{\"permissions\":[\"domains.write\"]}")
			.expectStatus()
			.isOk();
	}

	@Test
	void aKeyShowsItselfItsDomainAndItsAccount() {
		String key = AccountKeys.of(this.keys, this.person.account(), "events.read", "templates.write").text();
		this.client.get(key, "/api/api-keys/current")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.apiKey.key_prefix")
			.isEqualTo(key.substring(0, 15))
			.jsonPath("$.data.apiKey.permissions[1]")
			.isEqualTo("templates.write")
			.jsonPath("$.data.apiKey.expires_at")
			.isEmpty()
			.jsonPath("$.data.domain")
			.isEmpty()
			.jsonPath("$.data.account.id")
			.isEqualTo(this.person.account().toString())
			.jsonPath("$.data.account.plan")
			.isEqualTo("free");
		Holder holder = Holder.in(this.context, this.client);
		this.client.get(holder.key(), "/api/api-keys/current")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.domain.name")
			.isEqualTo(holder.domain())
			.jsonPath("$.data.apiKey.account")
			.isEqualTo(false);
	}

	@Test
	void theKeyOfAnAccountReadsTheMailOfAllItsDomains() {
		Holder holder = Holder.in(this.context, this.client);
		String id = holder.things().get("email");
		this.client.get(holder.accountKey(), "/api/emails/" + id).expectStatus().isOk();
		this.client.get(holder.otherKey(), "/api/emails/" + id).expectStatus().isNotFound();
	}

	private String create(String body, int status) {
		EntityExchangeResult<byte[]> response = this.client
			.send(HttpMethod.POST, this.person.token(), "/api/api-keys", body)
			.expectBody()
			.returnResult();
		String text = new String(response.getResponseBody(), StandardCharsets.UTF_8);
		assertThat(response.getStatus().value()).as(text).isEqualTo(status);
		return text;
	}

	private static String text(WebTestClient.ResponseSpec response) {
		return new String(response.expectBody().returnResult().getResponseBody(), StandardCharsets.UTF_8);
	}

}
