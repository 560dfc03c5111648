package dev.mailroom.api.account;

import java.util.List;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.Given;
import dev.mailroom.account.Account;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.secret.SealedText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class RegistrationRoutesTest {

	private static final String PASSWORD = "correct horse battery";

	private static final Pattern LINK = Pattern.compile("http://localhost:8081/([a-z-]+)\\?token=([A-Za-z0-9_-]+)\\n");

	@Autowired
	SealedText sealed;

	private final String email = UUID.randomUUID() + "@person.test";

	@Autowired
	Client client;

	@Test
	void registeringSendsALinkThatVerifiesTheAddressOnce() {
		register().expectStatus()
			.isCreated()
			.expectBody()
			.jsonPath("$.success")
			.isEqualTo(true)
			.jsonPath("$.data.user.length()")
			.isEqualTo(6)
			.jsonPath("$.data.user.email")
			.isEqualTo(this.email)
			.jsonPath("$.data.user.name")
			.isEqualTo("Ann")
			.jsonPath("$.data.user.email_verified")
			.isEqualTo(false)
			.jsonPath("$.data.user.plan")
			.isEqualTo("free");
		String token = link("verify-email", 0);
		assertThat(storedTexts().getFirst()).as("the stored mail has the link sealed")
			.contains("token=[sealed:")
			.doesNotContain(token);
		verify(token).expectStatus().isOk().expectBody().jsonPath("$.data.user.email_verified").isEqualTo(true);
		verify(token).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data")
			.jsonPath("$.details[0].field")
			.isEqualTo("token")
			.jsonPath("$.message")
			.value((String message) -> assertThat(message).contains("ask for a new mail"));
	}

	@Test
	void aProgramVerifiesWithTheTokenAloneAndMayReplaceThePassword() {
		register();
		String session = access(login(PASSWORD));
		String token = link("verify-email", 0);
		post("verify-email", "{\"token\":\"%s\",\"password\":\"incorrect\"}".formatted(token)).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("password");
		post("verify-email", "{\"token\":\"%s\",\"new_password\":\"short\"}".formatted(token)).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.details[0].field")
			.isEqualTo("new_password");
		post("verify-email", "{\"token\":\"%s\",\"new_password\":\"staple correct horse\"}".formatted(token))
			.expectStatus()
			.isOk();
		this.client.get(session, "/api/auth/me").expectStatus().isUnauthorized();
		login("staple correct horse").expectStatus().isOk();
	}

	@Test
	void registeringAgainHasTheSameResponseAndNotifiesTheOwner() {
		String first = signature(register());
		String again = signature(register());
		assertThat(again).isEqualTo(first);
		assertThat(mails()).hasSize(2);
		assertThat(mails().getLast()).contains("/login").doesNotContain("token=");
		login(PASSWORD).expectStatus().isOk();
	}

	@Test
	void resendingHasTheSameResponseForEveryAddress() {
		String unknown = signature(request("verify-email/resend"));
		register();
		String known = signature(request("verify-email/resend"));
		assertThat(known).isEqualTo(unknown);
		String token = link("verify-email", 1);
		verify(token).expectStatus().isOk();
		assertThat(signature(request("verify-email/resend"))).isEqualTo(unknown);
		assertThat(mails()).hasSize(2);
	}

	@Test
	void resettingAPasswordEndsAllSessions() {
		String unknown = signature(request("password/forgot"));
		register();
		String session = access(login(PASSWORD));
		assertThat(signature(request("password/forgot"))).isEqualTo(unknown);
		String token = link("reset-password", 1);
		reset(token, "short").expectStatus().isBadRequest();
		reset(token, "staple correct horse").expectStatus().isOk();
		reset(token, "staple correct horse").expectStatus().isBadRequest();
		this.client.get(session, "/api/auth/me").expectStatus().isUnauthorized();
		login(PASSWORD).expectStatus().isUnauthorized();
		login("staple correct horse").expectStatus().isOk();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "register|{}|email", "register|{\"email\":\"a@b\"}|email",
			"register|{\"email\":\"a@b.test\",\"password\":\"elevenchars\"}|password",
			"register|{\"email\":\"a@b.test\",\"password\":123456789012}|password",
			"register|{\"email\":\"a@b.test\",\"password\":\"correct horse battery\",\"name\":\"a\\u0000\"}|name",
			"register|{\"email\":\"a@b.test\\r\\nBcc: c@d.test\",\"password\":\"correct horse battery\"}|email",
			"verify-email|{}|token", "verify-email|{\"token\":\"x\"}|token", "verify-email/resend|{}|email",
			"password/forgot|{\"email\":\"x\"}|email", "password/reset|{\"password\":\"correct horse battery\"}|token",
			"password/reset|{\"token\":\"x\"}|password" })
	void invalidFieldsAreReported(String route, String body, String field) {
		post(route, body).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data")
			.jsonPath("$.details[0].field")
			.isEqualTo(field);
	}

	private WebTestClient.ResponseSpec post(String route, String body) {
		return this.client.post("/api/auth/" + route, body);
	}

	private WebTestClient.ResponseSpec register() {
		return post("register", """
				{"email":"%s","password":"%s","name":"Ann"}""".formatted(this.email, PASSWORD));
	}

	private WebTestClient.ResponseSpec request(String route) {
		return post(route, "{\"email\":\"" + this.email + "\"}");
	}

	private WebTestClient.ResponseSpec verify(String token) {
		return post("verify-email", "{\"token\":\"" + token + "\"}");
	}

	private WebTestClient.ResponseSpec reset(String token, String password) {
		return post("password/reset", "{\"token\":\"" + token + "\",\"password\":\"" + password + "\"}");
	}

	private WebTestClient.ResponseSpec login(String password) {
		return post("login", "{\"email\":\"" + this.email + "\",\"password\":\"" + password + "\"}");
	}

	/** Texts of the mails to this person, oldest first, as they are sent. */
	private List<String> mails() {
		return storedTexts().stream().map((text) -> this.sealed.open(text, Account.PLATFORM, this.email)).toList();
	}

	private List<String> storedTexts() {
		return Given.rows(
				"select text from email join email_content on email_id = id where email.account_id = '%s' and to_emails = '{%s}' order by id",
				Account.PLATFORM, this.email);
	}

	private String link(String page, int mail) {
		Matcher link = LINK.matcher(mails().get(mail));
		assertThat(link.find()).isTrue();
		assertThat(link.group(1)).isEqualTo(page);
		return link.group(2);
	}

	private static String access(WebTestClient.ResponseSpec response) {
		String[] token = new String[1];
		response.expectBody().jsonPath("$.data.access_token").value((String value) -> token[0] = value);
		return token[0];
	}

	/** Status, header names and body, without the values that differ between requests. */
	private static String signature(WebTestClient.ResponseSpec response) {
		var result = response.expectBody(String.class).returnResult();
		return result.getStatus() + " " + new TreeSet<>(result.getResponseHeaders().headerNames()) + " "
				+ result.getResponseBody().replaceAll("\"(id|created_at)\":\"[^\"]+\"", "$1");
	}

}
