package dev.mailroom.api.security;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.nimbusds.jose.JOSEException;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKey;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Forge;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.api.docs.Ask;
import dev.mailroom.api.docs.Contract;
import dev.mailroom.secret.Seal;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls every route of the OpenAPI document with every kind of credential and checks the
 * response.
 */
@WithApi
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CredentialsTest {

	private static final List<String> PERMISSIONS = List.of("send", "emails.send", "emails.read", "inbound.read",
			"analytics.read");

	private static final List<String> INVALID = List.of("nothing", "garbage", "a mistyped key", "an unknown key",
			"a revoked key", "an expired token", "a forged token", "an unsigned token");

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	Seal seal;

	private final Map<String, String> credentials = new LinkedHashMap<>();

	@Autowired
	Client client;

	@BeforeAll
	void createCredentials() throws JOSEException {
		Person person = Person.in(this.context);
		Scope owner = Scope.of(person.account());
		UUID domain = Given.domain(person.account());
		for (String permission : PERMISSIONS) {
			this.credentials.put("a key to " + permission, key(owner, domain, permission).text());
		}
		ApiKey.Issued revoked = key(owner, domain, "revoked");
		await(this.keys.delete(owner, revoked.key().id()));
		Forge forge = new Forge(this.seal, person.token());
		this.credentials.put("a person", person.token());
		this.credentials.put("garbage", "garbage");
		this.credentials.put("a mistyped key", this.credentials.get("a key to send") + "x");
		this.credentials.put("an unknown key", "ek_aaaaaaaaaaaa_" + "a".repeat(49));
		this.credentials.put("a revoked key", revoked.text());
		this.credentials.put("an expired token", forge.expired(45));
		this.credentials.put("a forged token", forge.forgeries().get("known kid, other key"));
		this.credentials.put("an unsigned token", forge.forgeries().get("alg none"));
	}

	private ApiKey.Issued key(Scope owner, UUID domain, String name) {
		List<String> permissions = List.of(PERMISSIONS.contains(name) ? name : "send");
		return await(this.keys.create(owner, domain, name, new ArrayList<>(permissions)));
	}

	static Stream<Arguments> protectedRoutes() {
		return cells(INVALID, (operation) -> !operation.credential().equals("none"));
	}

	@ParameterizedTest(name = "{0} with {1}")
	@MethodSource("protectedRoutes")
	void invalidCredentialsAreRejected(Contract.Operation operation, String credential) {
		TokenTest.unauthorized(call(operation, credential));
	}

	static Stream<Arguments> publicRoutes() {
		return cells(INVALID, (operation) -> operation.credential().equals("none"));
	}

	@ParameterizedTest(name = "{0} with {1}")
	@MethodSource("publicRoutes")
	void publicRoutesIgnoreCredentials(Contract.Operation operation, String credential) {
		Ask empty = new Ask(operation, Map.of("name", "forbidden", "token", "nobodys"), "",
				Ask.of(operation).body() == null ? null : JsonMapper.shared().createObjectNode());
		EntityExchangeResult<byte[]> without = empty.by(this.client, null).expectBody().returnResult();
		EntityExchangeResult<byte[]> with = empty.by(this.client, this.credentials.get(credential))
			.expectBody()
			.returnResult();
		assertThat(with.getStatus()).isEqualTo(without.getStatus());
		assertThat(with.getResponseBody()).isEqualTo(without.getResponseBody());
		// The policy of MTA-STS exists below names of its own.
		boolean missing = operation.path().contains("{token}") || operation.path().endsWith("/mta-sts.txt");
		assertThat(with.getStatus().value()).isIn(missing ? Set.of(404) : Set.of(200, 400));
	}

	static Stream<Arguments> forPersons() {
		return cells(PERMISSIONS.stream().map((it) -> "a key to " + it).toList(),
				(operation) -> Set.of("jwt", "account").contains(operation.credential()));
	}

	static Stream<Arguments> forKeys() {
		return cells(List.of("a person"), (operation) -> operation.credential().equals("key"));
	}

	static Stream<Arguments> withoutPermission() {
		return PERMISSIONS.stream()
			.filter((permission) -> !permission.equals("send"))
			.flatMap((permission) -> cells(List.of("a key to " + permission),
					(operation) -> !operation.permissionOfDomainKeys().isEmpty()
							&& !operation.permissionOfDomainKeys().equals(permission)));
	}

	@ParameterizedTest(name = "{0} with {1}")
	@MethodSource({ "forPersons", "withoutPermission" })
	void aKeyIsForbiddenOnRoutesForPersonsAndWithoutThePermission(Contract.Operation operation, String key) {
		forbidden(call(operation, key),
				"This API key does not have the permission: sign in, or use a key that has it.");
	}

	@ParameterizedTest(name = "{0} with {1}")
	@MethodSource("forKeys")
	void aPersonIsForbiddenOnRoutesForKeys(Contract.Operation operation, String person) {
		forbidden(call(operation, person), "This route requires an API key with the permission for it.");
	}

	static Stream<Arguments> accepted() {
		return Stream
			.of(cells(List.of("a person"), (it) -> Set.of("jwt", "account", "either").contains(it.credential())),
					cells(List.of("a key to send"), (it) -> !it.permissionOfDomainKeys().isEmpty()),
					PERMISSIONS.stream()
						.flatMap((permission) -> cells(List.of("a key to " + permission),
								(it) -> it.permissionOfDomainKeys().equals(permission) && !permission.equals("send"))))
			.flatMap((cells) -> cells);
	}

	@ParameterizedTest(name = "{0} with {1}")
	@MethodSource("accepted")
	void validCredentialsAreAccepted(Contract.Operation operation, String accepted) {
		EntityExchangeResult<byte[]> response = call(operation, accepted).expectBody().returnResult();
		assertThat(response.getStatus().value()).isNotIn(401, 500, 503);
		assertThat(new String(response.getResponseBody(), StandardCharsets.UTF_8)).doesNotContain("\"Forbidden\"");
	}

	private WebTestClient.ResponseSpec call(Contract.Operation operation, String credential) {
		return Ask.of(operation).by(this.client, this.credentials.get(credential));
	}

	private static void forbidden(WebTestClient.ResponseSpec response, String message) {
		response.expectStatus().isForbidden().expectHeader().doesNotExist("WWW-Authenticate").expectBody().json("""
				{"success": false, "error": "Forbidden", "name": "forbidden", "statusCode": 403, "message": "%s",
				 "request_id": "asked"}""".formatted(message));
	}

	private static Stream<Arguments> cells(List<String> credentials, Predicate<Contract.Operation> filter) {
		return Contract.written()
			.operations()
			.stream()
			.filter(filter)
			.flatMap((operation) -> credentials.stream().map((it) -> Arguments.of(operation, it)));
	}

}
