package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class SendRoutesTest {

	private final EmailClient client;

	@Autowired
	SendRoutesTest(Client http, ApiKeys keys) {
		this.client = new EmailClient(http, keys);
	}

	@Test
	void aSentMailIsReturnedAsABareObjectAndCanBeRead() {
		String id = this.client
			.sent(this.client.mail("\"cc\":\"c@x.test\",\"reply_to\":[\"r@x.test\"],\"tags\":{\"k\":1}"));
		this.client.get("/emails/" + id)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.from")
			.isEqualTo("Ann <a@" + this.client.name() + ">")
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
		this.client.post("/emails", body)
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Validation error")
			.jsonPath("$.details[0].field")
			.isEqualTo(field);
	}

	@Test
	void refusalsHaveTheContractsStatusNameAndOrder() {
		Given.run("insert into quota_use values ('%s', 'day', (now() at time zone 'UTC')::date, 100)",
				this.client.account);
		this.client.post("/emails", this.client.mail("")).expectHeader().exists("Retry-After");
		refused(429, "Daily/monthly limit reached", this.client.mail(""));
		refused(403, "From domain mismatch", this.client.mail("").replace(this.client.name(), "other.test"));
		Given.run("update domain set status = 'failed' where id = '%s'", this.client.domain);
		refused(403, "Domain not verified", this.client.mail("").replace(this.client.name(), "other.test"));
		Given.run("update account set email_verified_at = null where id = '%s'", this.client.account);
		refused(403, "Email not verified", this.client.mail(""));
		refused(400, "Validation error", "{}");
		this.client.post("/emails", "{}", "ek_wrong").expectStatus().isUnauthorized();
		this.client
			.post("/emails", "{}",
					this.client.key(this.client.account, Given.domain(this.client.account), "emails.read"))
			.expectStatus()
			.isForbidden();
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.client.account))
			.containsExactly("0");
	}

	@Test
	void singleScheduledAndBatchedMailsNameTheKeyOfTheirRequest() {
		this.client.sent(this.client.mail(""));
		this.client.sent(this.client.mail("\"send_at\":\"" + Instant.now().plusSeconds(3600) + "\""));
		this.client.post("/emails/batch", "[" + this.client.mail("") + "," + this.client.mail("") + "]")
			.expectStatus()
			.isOk();
		assertThat(
				Given.rows(
						"select count(*) || ' ' || count(person_id) from email join api_key "
								+ "on api_key.id = email.api_key_id where email.account_id = '%s'",
						this.client.account))
			.containsExactly("4 0");
	}

	@Test
	void aBatchHasAResultForEachMailInOrder() {
		String good = this.client.mail("");
		String body = "[" + good + ",{\"to\":5}," + good.replace(this.client.name(), "other.test") + ",7," + good + "]";
		this.client.post("/emails/batch", body)
			.expectStatus()
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
			this.client.post("/emails/batch", wrong)
				.expectStatus()
				.isBadRequest()
				.expectBody()
				.jsonPath("$.error")
				.isEqualTo("Validation error");
		}
		Given.run("update quota_use set used = 99 where account_id = '%s' and period = 'day'", this.client.account);
		this.client.post("/emails/batch", "[" + good + "," + good + "]").expectStatus().isEqualTo(429);
	}

	@Test
	void aRetryWithTheSameKeyRepeatsTheResponse() {
		String body = this.client.mail("");
		String first = this.client.keyed(body, "k 1")
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody();
		String reordered = "{\"text\":\"x\", \"subject\":\"s\", \"to\":[\"b@c.test\"], \"from\":\"Ann <a@"
				+ this.client.name() + ">\"}";
		this.client.keyed(reordered, "k 1")
			.expectStatus()
			.isOk()
			.expectHeader()
			.valueEquals("Idempotency-Replayed", "true")
			.expectHeader()
			.contentType(MediaType.APPLICATION_JSON)
			.expectBody(String.class)
			.isEqualTo(first);
		this.client.keyed(this.client.mail("\"cc\":\"d@e.test\""), "k 1")
			.expectStatus()
			.isEqualTo(409)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Idempotency key reused");
		this.client.keyed(body, "x".repeat(257))
			.expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Validation error");
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.client.account))
			.containsExactly("1");
	}

	@Test
	void aLargeBodyIsAcceptedAndATooLargeOneIsRefused() {
		String file = "A".repeat(9 * 1024 * 1024 / 3 * 4);
		this.client.sent(this.client.mail("\"attachments\":[{\"filename\":\"a.bin\",\"content\":\"" + file + "\"}]"));
		String over = this.client.mail("\"html\":\"" + "x".repeat(26 * 1024 * 1024) + "\"");
		this.client.post("/emails", over).expectStatus().isEqualTo(413);
		this.client.keyed(over, "large").expectStatus().isEqualTo(413);
	}

	private void refused(int status, String error, String body) {
		this.client.post("/emails", body)
			.expectStatus()
			.isEqualTo(status)
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo(error);
	}

}
