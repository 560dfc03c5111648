package dev.mailroom.api.account;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.account.Account;
import dev.mailroom.account.AuthenticatorApp;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import dev.mailroom.secret.Seal;
import dev.mailroom.secret.SealedText;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Issues every kind of secret and searches all columns of the database for it, also in
 * what an Idempotency-Key stores.
 */
@WithApi
class SecretsAtRestTest {

	private static final Pattern TOKEN = Pattern.compile("token=([A-Za-z0-9_-]+)");

	/** Parts that are shorter, such as the prefix of a secret, are not secret. */
	private static final int MIN_PART = 16;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Autowired
	Seal seal;

	@Autowired
	SealedText sealed;

	/** Secrets that were issued, by their kind. */
	private final Map<String, List<String>> secrets = new LinkedHashMap<>();

	@Test
	void noTableHasASecretInClear() {
		add("access token", this.person.token());
		add("refresh token", this.person.refreshToken());
		request("/api/auth/password/forgot", "{\"email\":\"%s\"}".formatted(this.person.email()));
		add("reset token", tokenMailedTo(this.person.email()));
		String invited = UUID.randomUUID() + "@member.test";
		request("/api/team/invitations", "{\"email\":\"%s\",\"role\":\"admin\"}".formatted(invited));
		add("invitation token", tokenMailedTo(invited));
		String registered = UUID.randomUUID() + "@owner.test";
		String password = "a password " + UUID.randomUUID();
		request("/api/auth/register", "{\"email\":\"%s\",\"password\":\"%s\"}".formatted(registered, password));
		add("password", password);
		add("verification token", tokenMailedTo(registered));
		addKeys();
		add("API key", JsonPath.read(request("/api/api-keys", """
				{"domainId":"%s","keyName":"k","permissions":["send"]}"""
			.formatted(Given.domain(this.person.account()))), "$.data.apiKey.key"));
		String endpoint = request("/api/webhooks/endpoints",
				"{\"url\":\"https://example.com\",\"events\":[\"email.sent\"]}");
		addBase64("webhook secret", JsonPath.read(endpoint, "$.data.endpoint.secret"));
		addBase64("webhook secret after a rotation",
				JsonPath.read(request(
						"/api/webhooks/endpoints/" + JsonPath.read(endpoint, "$.data.endpoint.id") + "/rotate-secret",
						""), "$.data.endpoint.secret"));
		addSecondFactor();
		assertThat(tables("%" + this.person.email() + "%")).as("the search finds what is stored").contains("account");
		assertThat(this.secrets).hasSize(14).allSatisfy((kind, forms) -> assertThat(forms).as(kind).isNotEmpty());
		String any = this.secrets.values()
			.stream()
			.flatMap(List::stream)
			.collect(Collectors.joining("%','%", "%", "%"));
		assertThat(tables(any)).as(() -> this.secrets.toString()).isEmpty();
	}

	private void addSecondFactor() {
		String begun = request("/api/auth/totp", "{}");
		String secret = JsonPath.read(begun, "$.data.secret");
		AuthenticatorApp app = AuthenticatorApp.of(secret);
		add("secret of the second factor", secret);
		forms("secret of the second factor").add(app.hex());
		List<String> codes = JsonPath.read(
				request("/api/auth/totp/confirm", "{\"code\":\"%s\"}".formatted(app.code(Instant.now()))),
				"$.data.recovery_codes");
		codes.forEach((code) -> add("recovery code", code));
		add("recovery code", codes.getFirst().replace("-", ""));
		add("challenge", JsonPath.read(request("/api/auth/login", """
				{"email":"%s","password":"%s"}""".formatted(this.person.email(), Person.PASSWORD)), "$.challenge"));
	}

	/** The keys that are never shown: those of DKIM and of access tokens. */
	private void addKeys() {
		request("/api/domains", "{\"name\":\"%s.com\"}".formatted(UUID.randomUUID()));
		for (String row : Given.rows(
				"select id || ' ' || encode(sealed_private_key, 'hex') from dkim_key " + "where account_id = '%s'",
				this.person.account())) {
			String id = row.substring(0, row.indexOf(' '));
			addEnd("DKIM key", open(row, "dkim_key/" + id + "/" + this.person.account()));
		}
		for (String row : Given.rows("select id || ' ' || encode(sealed_jwk, 'hex') from signing_key")) {
			String jwk = new String(open(row, "signing_key/" + row.substring(0, row.indexOf(' '))),
					StandardCharsets.UTF_8);
			add("key of access tokens", JsonPath.read(jwk, "$.d"));
		}
	}

	private byte[] open(String row, String place) {
		return this.seal.open(HexFormat.of().parseHex(row.substring(row.indexOf(' ') + 1)), place);
	}

	/** The body of the response to a POST with an Idempotency-Key. */
	private String request(String path, String body) {
		WebTestClient.RequestBodySpec request = this.client.web()
			.post()
			.uri(path)
			.header("Idempotency-Key", UUID.randomUUID().toString())
			.headers((headers) -> headers.setBearerAuth(this.person.token()));
		WebTestClient.RequestHeadersSpec<?> complete = body.isEmpty() ? request
				: request.contentType(MediaType.APPLICATION_JSON).bodyValue(body);
		return new String(complete.exchange().expectBody().returnResult().getResponseBody(), StandardCharsets.UTF_8);
	}

	private String tokenMailedTo(String address) {
		String text = Given
			.rows("select text from email join email_content on email_id = id "
					+ "where email.account_id = '%s' and to_emails = '{%s}' order by id desc", Account.PLATFORM,
					address)
			.getFirst();
		Matcher token = TOKEN.matcher(this.sealed.open(text, Account.PLATFORM, address));
		assertThat(token.find()).isTrue();
		return token.group(1);
	}

	/** Adds a text with its parts, and with its bytes as a column of bytes shows them. */
	private void add(String kind, String secret) {
		Stream.concat(Stream.of(secret), Arrays.stream(secret.split("[._]")))
			.filter((part) -> part.length() >= MIN_PART)
			.flatMap((part) -> Stream.of(part, hex(part.getBytes(StandardCharsets.UTF_8))))
			.distinct()
			.forEach(forms(kind)::add);
	}

	/** Adds a secret whose bytes are written in base64 after a prefix. */
	private void addBase64(String kind, String secret) {
		add(kind, secret);
		forms(kind).add(hex(Base64.getDecoder().decode(secret.substring(secret.indexOf('_') + 1))));
	}

	/** Adds the end of a private key, whose beginning has the public one. */
	private void addEnd(String kind, byte[] key) {
		byte[] end = Arrays.copyOfRange(key, key.length - 30, key.length);
		forms(kind).add(hex(end));
		String base64 = Base64.getEncoder().withoutPadding().encodeToString(key);
		forms(kind).add(base64.substring(base64.length() - 30));
	}

	private List<String> forms(String kind) {
		return this.secrets.computeIfAbsent(kind, (_) -> new ArrayList<>());
	}

	private static String hex(byte[] bytes) {
		return HexFormat.of().formatHex(bytes);
	}

	/** The tables with a row whose text is like one of these patterns. */
	private static List<String> tables(String patterns) {
		return Given
			.rows("select relname from pg_class where relkind in ('r', 'p') and not relispartition "
					+ "and relnamespace = 'public'::regnamespace")
			.stream()
			.filter((table) -> Given
				.rows("select exists (select from %1$s as found where found::text like any (array['%2$s']))", table,
						patterns)
				.contains("t"))
			.toList();
	}

}
