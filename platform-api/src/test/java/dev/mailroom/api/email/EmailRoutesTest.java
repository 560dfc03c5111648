package dev.mailroom.api.email;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.api.ApiTest;
import dev.mailroom.apikey.ApiKeys;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@ApiTest
class EmailRoutesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApiKeys keys;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	private String key;

	private WebTestClient client;

	@BeforeEach
	void connect() {
		this.client = WebTestClient.bindToServer()
			.baseUrl("http://localhost:" + this.port + "/api")
			.responseTimeout(Duration.ofSeconds(30))
			.build();
		this.key = key(this.account, this.domain, "send");
	}

	@Test
	void aSentMailIsReturnedAsABareObjectAndCanBeRead() {
		String id = sent(mail("\"cc\":\"c@x.test\",\"reply_to\":[\"r@x.test\"],\"tags\":{\"k\":1}"));
		get("/emails/" + id).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.from")
			.isEqualTo("Ann <a@" + name() + ">")
			.jsonPath("$.status")
			.isEqualTo("pending")
			.jsonPath("$.tags.k")
			.isEqualTo(1)
			.jsonPath("$.recipients.length()")
			.isEqualTo(2)
			.jsonPath("$.success")
			.doesNotExist();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{}|from",
			"{\"from\":\"a@b.test\",\"to\":[],\"subject\":\"s\",\"text\":\"x\"}|to",
			"{\"from\":\"nobody\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"text\":\"x\"}|from",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\",\"x\"],\"subject\":\"s\",\"text\":\"x\"}|to[1]",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"text\":\"x\"}|subject",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\"}|html",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":5,\"text\":\"x\"}|subject",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"text\":\"x\",\"tags\":3}|tags",
			"{\"from\":\"a@b.test\",\"to\":[\"c@d.test\"],\"subject\":\"s\",\"text\":\"x\",\"send_at\":\"now\"}|send_at" })
	void aFaultOfABodyIsAValidationErrorOfItsField(String body, String field) {
		post("/emails", body, this.key).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Validation error")
			.jsonPath("$.details[0].field")
			.isEqualTo(field);
	}

	@Test
	void refusalsHaveTheContractsStatusNameAndOrder() {
		Given.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 100)", this.account);
		post("/emails", mail(""), this.key).expectHeader().exists("Retry-After");
		refused(429, "Daily/monthly limit reached", mail(""));
		refused(403, "From domain mismatch", mail("").replace(name(), "other.test"));
		Given.run("update domain set status = 'failed' where id = '%s'", this.domain);
		refused(403, "Domain not verified", mail("").replace(name(), "other.test"));
		Given.run("update account set email_verified_at = null where id = '%s'", this.account);
		refused(403, "Email not verified", mail(""));
		refused(400, "Validation error", "{}");
		post("/emails", "{}", "ek_wrong").expectStatus().isUnauthorized();
		post("/emails", "{}", key(this.account, Given.domain(this.account), "emails.read")).expectStatus()
			.isForbidden();
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.account)).containsExactly("0");
	}

	@Test
	void aBatchHasAResultForEachMailInOrder() {
		String good = mail("");
		String body = "[" + good + ",{\"to\":5}," + good.replace(name(), "other.test") + ",7," + good + "]";
		post("/emails/batch", body, this.key).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.length()")
			.isEqualTo(5)
			.jsonPath("$.data[0].emailId")
			.isNotEmpty()
			.jsonPath("$.data[0].error")
			.doesNotExist()
			.jsonPath("$.data[1].emailId")
			.isEmpty()
			.jsonPath("$.data[1].error.name")
			.isEqualTo("validation_error")
			.jsonPath("$.data[2].error.statusCode")
			.isEqualTo(403)
			.jsonPath("$.data[3].error.error")
			.isEqualTo("Validation error")
			.jsonPath("$.data[4].emailId")
			.isNotEmpty();
		for (String wrong : List.of("[]", "{}",
				"[" + String.join(",", IntStream.range(0, 101).mapToObj((i) -> good).toList()) + "]")) {
			post("/emails/batch", wrong, this.key).expectStatus()
				.isBadRequest()
				.expectBody()
				.jsonPath("$.error")
				.isEqualTo("Validation error");
		}
		Given.run("update quota_use set used = 99 where account_id = '%s' and period = 'day'", this.account);
		post("/emails/batch", "[" + good + "," + good + "]", this.key).expectStatus().isEqualTo(429);
	}

	@Test
	void aRetryWithTheSameKeyRepeatsTheResponse() {
		String body = mail("");
		String first = keyed(body, "k 1").expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		String reordered = "{\"text\":\"x\", \"subject\":\"s\", \"to\":[\"b@c.test\"], \"from\":\"Ann <a@" + name()
				+ ">\"}";
		keyed(reordered, "k 1").expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Idempotency-Replayed", "true")
			.expectHeader()
			.contentType(MediaType.APPLICATION_JSON)
			.expectBody(String.class)
			.isEqualTo(first);
		keyed(mail("\"cc\":\"d@e.test\""), "k 1").expectStatus()
			.isEqualTo(409)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Idempotency key reused");
		keyed(body, "x".repeat(257)).expectStatus().isBadRequest();
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.account)).containsExactly("1");
	}

	@Test
	void aScheduledMailIsRescheduledAndCancelled() {
		String at = Instant.now().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS).toString();
		String id = sent(mail("\"scheduled_at\":\"" + at + "\""));
		String later = Instant.now().plus(3, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS).toString();
		this.client.patch()
			.uri("/emails/" + id)
			.headers(bearer(this.key))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue("{\"send_at\":\"" + later + "\"}")
			.exchange()
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.send_at")
			.isEqualTo(later.replace("Z", ".000Z"));
		cancel(id).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.status")
			.isEqualTo("failed")
			.jsonPath("$.id")
			.isEqualTo(id);
		cancel(id).expectStatus().isBadRequest().expectBody().jsonPath("$.error").isEqualTo("Email already processed");
		get("/emails/" + id).expectBody().jsonPath("$.last_event").isEqualTo("cancelled");
		get("/emails/" + id + "/events").expectBody()
			.jsonPath("$.data.events[0].type")
			.isEqualTo("email.cancelled")
			.jsonPath("$.data.events[1].type")
			.isEqualTo("email.scheduled")
			.jsonPath("$.data.pagination.total")
			.isEqualTo(2);
		get("/emails/" + UUID.randomUUID() + "/events").expectStatus().isNotFound();
	}

	@Test
	void aKeySeesItsOwnDomainAndAForeignIdIsNotFound() {
		String id = sent(mail(""));
		String sibling = key(this.account, Given.domain(this.account), "emails.read");
		UUID other = Given.account("free");
		String foreign = key(other, Given.domain(other), "send");
		for (String credential : List.of(sibling, foreign)) {
			byte[] missing = body("/emails/" + UUID.randomUUID(), credential, 404);
			byte[] hidden = body("/emails/" + id, credential, 404);
			assertThat(new String(hidden).replaceAll("[0-9a-f-]{36}", ""))
				.isEqualTo(new String(missing).replaceAll("[0-9a-f-]{36}", ""));
			assertThat(new String(body("/emails/logs", credential, 200))).contains("\"total\":0");
		}
	}

	@Test
	void theListIsFilteredAndPagedAndChecksItsParameters() {
		sent(mail(""));
		sent(mail(""));
		logs("", 2).jsonPath("$.data.emails[0].from_email").isEqualTo("a@" + name());
		logs("?status=pending&domain_id=" + this.domain, 2);
		logs("?status=delivered", 0);
		logs("?domain_id=" + UUID.randomUUID(), 0);
		logs("?domain_id=nonsense", 0);
		logs("?limit=1&page=2", 2).jsonPath("$.data.emails.length()").isEqualTo(1);
		for (String query : List.of("status=unknown", "page=0", "limit=101", "limit=x")) {
			get("/emails/logs?" + query).expectStatus().isBadRequest();
		}
	}

	@Test
	void aLargeBodyIsAcceptedAndATooLargeOneIsRefused() {
		String file = "A".repeat(9 * 1024 * 1024 / 3 * 4);
		sent(mail("\"attachments\":[{\"filename\":\"a.bin\",\"content\":\"" + file + "\"}]"));
		String over = mail("\"html\":\"" + "x".repeat(26 * 1024 * 1024) + "\"");
		post("/emails", over, this.key).expectStatus().isEqualTo(413);
		keyed(over, "large").expectStatus().isEqualTo(413);
	}

	private WebTestClient.BodyContentSpec logs(String query, int total) {
		return get("/emails/logs" + query).expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.pagination.total")
			.isEqualTo(total);
	}

	private byte[] body(String path, String credential, int status) {
		return this.client.get()
			.uri(path)
			.headers(bearer(credential))
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectBody()
			.returnResult()
			.getResponseBody();
	}

	private String key(UUID account, UUID domain, String permission) {
		return this.keys.create(Scope.of(account), domain, UUID.randomUUID().toString(), List.of(permission))
			.block(Duration.ofSeconds(20))
			.text();
	}

	private String name() {
		return this.domain + ".test";
	}

	private String mail(String more) {
		return "{\"from\":\"Ann <a@" + name() + ">\",\"to\":[\"b@c.test\"],\"subject\":\"s\",\"text\":\"x\""
				+ (more.isEmpty() ? "" : "," + more) + "}";
	}

	private String sent(String body) {
		Map<?, ?> response = post("/emails", body, this.key).expectStatus()
			.isOk()
			.expectBody(Map.class)
			.returnResult()
			.getResponseBody();
		return String.valueOf(response.get("id"));
	}

	private void refused(int status, String error, String body) {
		post("/emails", body, this.key).expectStatus()
			.isEqualTo(status)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo(error);
	}

	private WebTestClient.ResponseSpec cancel(String id) {
		return this.client.post().uri("/emails/" + id + "/cancel").headers(bearer(this.key)).exchange();
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.get().uri(path).headers(bearer(this.key)).exchange();
	}

	private WebTestClient.ResponseSpec keyed(String body, String key) {
		return this.client.post()
			.uri("/emails")
			.headers(bearer(this.key))
			.header("Idempotency-Key", key)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange();
	}

	private WebTestClient.ResponseSpec post(String path, String body, String credential) {
		return this.client.post()
			.uri(path)
			.headers(bearer(credential))
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(body)
			.exchange();
	}

	private static Consumer<HttpHeaders> bearer(String credential) {
		return (headers) -> headers.setBearerAuth(credential);
	}

}
