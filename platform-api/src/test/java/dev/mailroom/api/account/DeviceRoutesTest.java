package dev.mailroom.api.account;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.DeviceSignIns;
import dev.mailroom.account.MemberRole;
import dev.mailroom.account.Permission;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Sign-in of programs without a browser (RFC 8628). */
@WithApi
class DeviceRoutesTest {

	private static final String ADDRESS = "192.0.2.7";

	private static final String GRANT = "urn:ietf:params:oauth:grant-type:device_code";

	@Autowired
	ApplicationContext context;

	@Autowired
	DeviceSignIns signIns;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void aProgramGetsAKeyOfTheAccountAfterAPersonHasApprovedIt() {
		String server = text(this.client.web().get().uri("/.well-known/oauth-authorization-server").exchange(), 200);
		assertThat(JsonPath.<List<String>>read(server, "$.scopes_supported")).isEqualTo(Permission.names(true));
		assertThat(JsonPath.<String>read(server, "$.device_authorization_endpoint"))
			.endsWith("/oauth/device_authorization");
		Codes codes = start("shop-cli");
		assertThat(codes.page()).isEqualTo("http://localhost:8081/device?code=" + codes.user());
		assertThat(codes.user()).matches("[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}");
		assertThat(error(poll(codes), 400)).isEqualTo("authorization_pending");
		assertThat(await(this.signIns.find(scope(), codes.user().toLowerCase(Locale.ROOT).replace('-', ' '))))
			.satisfies((asked) -> {
				assertThat(asked.program()).isEqualTo("shop-cli");
				assertThat(asked.device()).isEqualTo("ShopCli on Linux");
				assertThat(asked.address()).isEqualTo(ADDRESS);
				assertThat(asked.requested()).containsExactly("templates.read", "usage.read");
			});
		Instant expires = Instant.now().plus(Duration.ofDays(90));
		await(this.signIns.approve(scope(), MemberRole.OWNER, codes.user(), "Shop", List.of("usage.read"), expires));
		assertThat(keys()).as("an approval creates no key").isEmpty();
		String token = text(poll(codes), 200);
		assertThat(JsonPath.<String>read(token, "$.scope")).isEqualTo("usage.read");
		assertThat(JsonPath.<Integer>read(token, "$.expires_in")).isBetween(89 * 86_400, 90 * 86_400);
		String key = JsonPath.read(token, "$.access_token");
		String current = text(this.client.get(key, "/api/api-keys/current"), 200);
		assertThat(JsonPath.<String>read(current, "$.data.apiKey.key_name")).isEqualTo("Shop");
		assertThat(JsonPath.<String>read(current, "$.data.account.id")).isEqualTo(this.person.account().toString());
		this.client.get(key, "/api/usage").expectStatus().isOk();
		this.client.get(key, "/api/domains").expectStatus().isForbidden();
		String id = JsonPath.read(current, "$.data.apiKey.id");
		assertThat(Given.rows("select details ->> 'program' || ' ' || (details ->> 'address') || ' ' || actor_id "
				+ "from audit where act = 'api_key.created' and target = '%s'", id))
			.containsExactly("shop-cli " + ADDRESS + " " + this.person.account());
		this.client.call(HttpMethod.DELETE, this.person.token(), "/api/api-keys/" + id).expectStatus().isOk();
		this.client.get(key, "/api/usage").expectStatus().isUnauthorized();
	}

	@Test
	void aKeyIsHandedOutOnceAlsoToConcurrentPolls() {
		Codes codes = start("shop-cli");
		approve(codes, "usage.read");
		List<String> answers = IntStream.range(0, 8)
			.parallel()
			.mapToObj((_) -> text(poll(codes), null))
			.filter((answer) -> answer.contains("access_token"))
			.toList();
		assertThat(answers).hasSize(1);
		assertThat(keys()).hasSize(1);
		assertThat(error(poll(codes), 400)).isEqualTo("invalid_grant");
	}

	@Test
	void aProgramThatPollsTooFastHasToWaitLongerEachTime() {
		Codes codes = start("shop-cli");
		assertThat(error(poll(codes), 400)).isEqualTo("authorization_pending");
		assertThat(error(poll(codes), 400)).isEqualTo("slow_down");
		wait(codes, 9);
		assertThat(error(poll(codes), 400)).isEqualTo("slow_down");
		wait(codes, 14);
		assertThat(error(poll(codes), 400)).isEqualTo("slow_down");
		wait(codes, 21);
		assertThat(error(poll(codes), 400)).isEqualTo("authorization_pending");
	}

	@Test
	void aDeniedProgramGetsNoKey() {
		Codes codes = start("shop-cli");
		await(this.signIns.deny(scope(), codes.user()));
		assertThat(error(poll(codes), 400)).isEqualTo("access_denied");
		assertThat(error(poll(codes), 400)).isEqualTo("access_denied");
		refused("code", () -> approve(codes, "usage.read"));
		assertThat(keys()).isEmpty();
	}

	@Test
	void anExpiredSignInCanNeitherBeApprovedNorFetched() {
		Codes pending = start("shop-cli");
		Codes approved = start("shop-cli");
		approve(approved, "usage.read");
		for (Codes codes : List.of(pending, approved)) {
			Given.run("update device_sign_in set expires_at = now() - interval '1 second' where device_hash = %s",
					hash(codes));
			assertThat(error(poll(codes), 400)).isEqualTo("expired_token");
		}
		refused("code", () -> approve(pending, "usage.read"));
		assertThat(keys()).isEmpty();
	}

	@Test
	void aSignInIsAnsweredOnce() {
		Codes codes = start("shop-cli");
		approve(codes, "usage.read");
		Scope other = Scope.of(Person.in(this.context).account());
		assertThat(this.signIns.find(other, codes.user()).blockOptional()).isEmpty();
		refused("code", () -> await(this.signIns.deny(other, codes.user())));
		refused("code", () -> await(
				this.signIns.approve(other, MemberRole.OWNER, codes.user(), "Mine", List.of("usage.read"), null)));
		String key = JsonPath.read(text(poll(codes), 200), "$.access_token");
		assertThat(JsonPath.<String>read(text(this.client.get(key, "/api/api-keys/current"), 200), "$.data.account.id"))
			.isEqualTo(this.person.account().toString());
	}

	@Test
	void aCodeOfAnotherProgramOrAMadeUpOneIsInvalid() {
		Codes codes = start("shop-cli");
		approve(codes, "usage.read");
		assertThat(error(token(codes.device(), "other-cli"), 400)).isEqualTo("invalid_grant");
		assertThat(error(token("made up", "shop-cli"), 400)).isEqualTo("invalid_grant");
		refused("code", () -> await(this.signIns.deny(scope(), "BBBB-BBBB")));
		text(poll(codes), 200);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			device_authorization | scope=usage.read                                        | invalid_request
			device_authorization | client_id=%0A                                           | invalid_request
			device_authorization | client_id=a&client_id=b                                 | invalid_request
			device_authorization | client_id=a&scope=usage.read+fly                        | invalid_scope
			token                | client_id=a&device_code=b                               | invalid_request
			token                | grant_type=GRANT&client_id=a                            | invalid_request
			token                | grant_type=GRANT&device_code=b                          | invalid_request
			token                | grant_type=GRANT&device_code=b&device_code=c&client_id=a | invalid_request
			token                | grant_type=password&username=a&password=b               | unsupported_grant_type
			""")
	void aFaultOfARequestHasItsNameOfTheStandard(String endpoint, String form, String error) {
		assertThat(error(post("/oauth/" + endpoint, form.replace("GRANT", GRANT)), 400)).isEqualTo(error);
	}

	@Test
	void aPersonGivesAProgramOnlyWhatTheRolePermits() {
		Codes codes = start("shop-cli");
		assertThatExceptionOfType(Refused.class)
			.isThrownBy(() -> await(this.signIns.approve(scope(), MemberRole.DEVELOPER, codes.user(), "Shop",
					List.of("campaigns.send"), null)))
			.withMessageContaining("developer");
		refused("permissions",
				() -> await(this.signIns.approve(scope(), MemberRole.OWNER, codes.user(), "Shop", List.of(), null)));
		approve(codes, "usage.read");
		text(poll(codes), 200);
	}

	@Test
	void aRoleThatIsLostAfterTheApprovalCreatesNoKey() {
		for (String change : List.of("role = 'viewer'", "account_id = person_id")) {
			Person developer = Person.in(this.context);
			Given.run("update member set account_id = '%s', role = 'developer' where person_id = '%s'",
					this.person.account(), developer.account());
			Codes codes = start("shop-cli");
			await(this.signIns.approve(scope().by(developer.account()), MemberRole.DEVELOPER, codes.user(), "Shop",
					List.of("usage.read"), null));
			Given.run("update member set %s where person_id = '%s'", change, developer.account());
			assertThat(error(poll(codes), 400)).isEqualTo("access_denied");
		}
		assertThat(keys()).isEmpty();
	}

	@Test
	void aKeyWhoseNameIsTakenGetsLettersAfterIt() {
		for (int i = 0; i < 2; i++) {
			Codes codes = start("shop-cli");
			approve(codes, "usage.read");
			text(poll(codes), 200);
		}
		assertThat(keys()).hasSize(2).contains("Shop").anyMatch((name) -> name.matches("Shop [A-Z]{4}"));
	}

	@Test
	void aNetworkStartsALimitedNumberOfSignIns() {
		String address = "198.51.100.21";
		for (int i = 0; i < 50; i++) {
			text(start("shop-cli", address), 200);
		}
		EntityExchangeResult<byte[]> refused = start("shop-cli", address);
		assertThat(error(refused, 429)).isEqualTo("slow_down");
		assertThat(refused.getResponseHeaders().getFirst("Retry-After")).isEqualTo("900");
		text(start("shop-cli", "198.51.100.22"), 200);
	}

	@Test
	void aPersonEntersALimitedNumberOfCodes() {
		for (int i = 0; i < 30; i++) {
			assertThat(this.signIns.find(scope(), "BBBB-BBBB").blockOptional()).isEmpty();
		}
		Codes codes = start("shop-cli");
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> await(this.signIns.find(scope(), codes.user())))
			.withMessageContaining("Too many codes of programs");
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> approve(codes, "usage.read"));
	}

	@Test
	void theNumberOfPendingSignInsIsLimited() {
		Given
			.run("insert into device_sign_in (device_hash, code_hash, program, device, address, requested, expires_at, "
					+ "interval_seconds) select sha256(('d' || n)::bytea), sha256(('c' || n)::bytea), 'filler', '', '', '{}', "
					+ "now() + interval '1 minute', 5 from generate_series(1, 10000) n");
		try {
			assertThat(error(start("shop-cli", "198.51.100.23"), 503)).isEqualTo("temporarily_unavailable");
		}
		finally {
			Given.run("delete from device_sign_in where program = 'filler'");
		}
		text(start("shop-cli", "198.51.100.23"), 200);
	}

	private Scope scope() {
		return Scope.of(this.person.account());
	}

	private List<String> keys() {
		return Given.rows("select name from api_key where account_id = '%s'", this.person.account());
	}

	private void approve(Codes codes, String permission) {
		await(this.signIns.approve(scope(), MemberRole.OWNER, codes.user(), "Shop", List.of(permission), null));
	}

	private static void refused(String field, Runnable answer) {
		assertThatExceptionOfType(Refused.class).isThrownBy(answer::run)
			.satisfies((refused) -> assertThat(refused.details().getFirst().field()).isEqualTo(field));
	}

	/** Lets time pass since the last poll. */
	private static void wait(Codes codes, int seconds) {
		Given.run("update device_sign_in set polled_at = polled_at - interval '%d seconds' where device_hash = %s",
				seconds, hash(codes));
	}

	private static String hash(Codes codes) {
		return "sha256('" + codes.device() + "')";
	}

	private Codes start(String program) {
		String codes = text(start(program, ADDRESS), 200);
		return new Codes(JsonPath.read(codes, "$.device_code"), JsonPath.read(codes, "$.user_code"),
				JsonPath.read(codes, "$.verification_uri_complete"));
	}

	private EntityExchangeResult<byte[]> start(String program, String address) {
		return this.client.web()
			.post()
			.uri("/oauth/device_authorization")
			.header("X-Forwarded-For", address)
			.header("User-Agent", "ShopCli/1.0 (Linux)")
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.bodyValue("client_id=" + program + "&scope=templates.read+usage.read")
			.exchange()
			.expectBody()
			.returnResult();
	}

	private EntityExchangeResult<byte[]> poll(Codes codes) {
		return token(codes.device(), "shop-cli");
	}

	private EntityExchangeResult<byte[]> token(String device, String program) {
		return post("/oauth/token", "grant_type=" + GRANT + "&device_code=" + device + "&client_id=" + program);
	}

	private EntityExchangeResult<byte[]> post(String path, String form) {
		return this.client.web()
			.post()
			.uri(path)
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.bodyValue(form)
			.exchange()
			.expectBody()
			.returnResult();
	}

	private static String error(EntityExchangeResult<byte[]> response, int status) {
		assertThat(response.getResponseHeaders().getFirst("Cache-Control")).isEqualTo("no-store");
		return JsonPath.read(text(response, status), "$.error");
	}

	private static String text(WebTestClient.ResponseSpec response, int status) {
		return text(response.expectBody().returnResult(), status);
	}

	/** The body of a response, whose status is checked unless it is null. */
	private static String text(EntityExchangeResult<byte[]> response, @Nullable Integer status) {
		String body = new String(Objects.requireNonNull(response.getResponseBody()), StandardCharsets.UTF_8);
		if (status != null) {
			assertThat(response.getStatus().value()).as(body).isEqualTo(status);
		}
		return body;
	}

	/** The codes of a program, and the address of the page for them. */
	private record Codes(String device, String user, String page) {
	}

}
