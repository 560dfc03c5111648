package dev.mailroom.admin.email;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

/** Mutations that send emails, with the rules of the REST API. */
@WithAdmin
class SendTest {

	private static final String MAIL = "{ to: [\"b@c.test\"], subject: \"s\", text: \"t\", tags: { a: 1, b: 2 } }";

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	MeterRegistry meters;

	Person person;

	GraphQl client;

	UUID domain;

	@BeforeEach
	void person() {
		this.person = Person.in(this.context);
		this.client = GraphQl.at(this.port).as(this.person);
		this.domain = Given.domain(this.person.account());
	}

	@Test
	void anEmailIsSentWithFilesTagsAndHeaders() {
		Map<String, Object> file = Map.of("filename", "a.txt", "content", "SGVsbG8=", "contentType", "text/plain");
		JsonNode sent = send(Map.of("tags", Map.of("order", 7, "vip", true), "headers", Map.of("X-Order", "7"), "files",
				List.of(file)))
			.path("data")
			.path("sendEmail");
		assertThat(sent.path("userErrors").toString()).isEqualTo("[]");
		assertThat(sent.path("replayed").asBoolean(true)).isFalse();
		assertThat(sent.path("email").path("tags").path("order").asInt()).isEqualTo(7);
		assertThat(sent.path("email").path("tags").path("vip").asBoolean()).isTrue();
		assertThat(Given
			.rows("select headers::text || attachments from email_content where email_id = '%s'",
					sent.path("email").path("id").asString())
			.getFirst()).contains("X-Order", "a.txt");
	}

	@Test
	void invalidFilesTagsAndHeadersAreUserErrorsWithTheirFields() {
		assertThat(fault(Map.of("tags", Map.of("a", List.of())))).isEqualTo("tags");
		assertThat(fault(Map.of("headers", Map.of("X-A", 1)))).isEqualTo("headers.X-A");
		assertThat(fault(Map.of("headers", Map.of("From", "x@y.test")))).isEqualTo("headers.From");
		assertThat(fault(Map.of("files", List.of(Map.of("filename", "a", "content", "?")))))
			.isEqualTo("attachments[0].content");
		Map<String, Object> file = Map.of("filename", "a", "content", "SGVsbG8=");
		assertThat(fault(Map.of("files", List.of(file, file, file, file, file, file, file, file, file, file, file))))
			.isEqualTo("attachments");
	}

	@Test
	void aBatchAcceptsOrRefusesEachMailByItself() {
		Given.domain(this.person.account());
		JsonNode results = this.client.change("sendEmails", """
				(emails: [{ to: ["b@c.test"], subject: "s", text: "t" },
				  { from: "Ann <a@%s.test>", to: ["b@c.test"], subject: "s", text: "t" },
				  { from: "a@other.test", to: ["b@c.test"], subject: "s", text: "t" },
				  { to: ["b@c.test"], subject: "s", text: "t", tags: { a: [] } }, { to: [], text: "t" }])
				""".formatted(this.domain), "replayed results { emailId error { name message } }").path("results");
		assertThat(results.valueStream().map((result) -> result.path("error").path("name").asString("")).toList())
			.containsExactly("", "", "from_domain_mismatch", "invalid_request_data", "validation_error");
		assertThat(Given.rows("select from_email from email where account_id = '%s' order by 1", this.person.account()))
			.containsExactly("a@" + this.domain + ".test", "no-reply@" + this.domain + ".test");
	}

	@Test
	void aBatchIsRefusedAsAWholeWithoutMailsWithMoreThan100AndBeyondTheQuota() {
		for (int mails : new int[] { 0, 101 }) {
			assertThat(this.client.userError("sendEmails", batch(mails))).isEqualTo("invalid_request_data");
		}
		Given.run("update account set daily_limit = 2 where id = '%s'", this.person.account());
		double before = count("mailroom.quota.refusals", "period", "day");
		assertThat(this.client.userError("sendEmails", batch(3))).isEqualTo("daily_monthly_limit_reached");
		until("the count", () -> count("mailroom.quota.refusals", "period", "day") == before + 1);
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.person.account()))
			.containsExactly("0");
	}

	@Test
	void aRepetitionWithTheSameIdempotencyKeySendsNothing() {
		String key = ", idempotencyKey: \"k\")";
		String id = repeated("sendEmail", "(input: " + MAIL + key, "email { id }", false);
		assertThat(repeated("sendEmail", "(input: " + MAIL.replace("a: 1, b: 2", "b: 2, a: 1") + key, "email { id }",
				true))
			.isEqualTo(id);
		assertThat(this.client.userError("sendEmail", "(input: " + MAIL.replace("a: 1", "a: 3") + key))
			.isEqualTo("idempotency_key_reused");
		String first = repeated("sendEmails", "(emails: [" + MAIL + "]" + key, "results { emailId }", false);
		assertThat(repeated("sendEmails", "(emails: [" + MAIL + "]" + key, "results { emailId }", true))
			.isEqualTo(first);
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.person.account()))
			.containsExactly("2");
		assertThat(this.client.userError("sendEmail", "(input: " + MAIL + ", idempotencyKey: \"\")"))
			.isEqualTo("invalid_request_data");
		assertThat(this.client.userError("sendEmails", "(emails: [" + MAIL + "], idempotencyKey: \"\\n\")"))
			.isEqualTo("invalid_request_data");
	}

	@Test
	void mutationsWithAnIdempotencyKeyAreCountedByTheirResults() {
		List<Double> before = keyUses();
		String key = ", idempotencyKey: \"counted\")";
		repeated("sendEmail", "(input: " + MAIL + key, "email { id }", false);
		repeated("sendEmail", "(input: " + MAIL + key, "email { id }", true);
		this.client.userError("sendEmail", "(input: " + MAIL.replace("a: 1", "a: 3") + key);
		repeated("sendEmails", "(emails: [" + MAIL + "]" + key, "results { emailId }", false);
		List<Double> after = keyUses();
		assertThat(IntStream.range(0, 3).mapToObj((i) -> after.get(i) - before.get(i))).containsExactly(2d, 1d, 1d);
	}

	private List<Double> keyUses() {
		return Stream.of("new", "replayed", "reused")
			.map((result) -> count("mailroom.idempotency", "result", result))
			.toList();
	}

	private double count(String meter, String... tags) {
		return this.meters.counter(meter, tags).count();
	}

	private static String batch(int mails) {
		return "(emails: [" + (MAIL + ", ").repeat(mails) + "])";
	}

	private String repeated(String mutation, String arguments, String fields, boolean replayed) {
		JsonNode payload = this.client.change(mutation, arguments, "replayed " + fields);
		assertThat(payload.path("replayed").asBoolean(!replayed)).isEqualTo(replayed);
		return payload.path("email").toString() + payload.path("results");
	}

	private String fault(Map<String, Object> variables) {
		JsonNode error = send(variables).path("data").path("sendEmail").path("userErrors").path(0);
		assertThat(error.path("name").asString("")).as(variables.toString()).isEqualTo("invalid_request_data");
		return error.path("field").asString("");
	}

	@Test
	void theKeyOrThePersonThatSubmittedAMailIsNamedUntilItIsGone() {
		UUID email = UUID.fromString(send(Map.of()).path("data").path("sendEmail").path("email").path("id").asString());
		assertThat(submitter(email)).isEqualTo("PERSON " + this.person.account() + " Ann");
		UUID key = UUID.fromString(this.client
			.change("createApiKey", "(input: { domainId: \"" + this.domain + "\", name: \"shop\" })", "apiKey { id }")
			.path("apiKey")
			.path("id")
			.asString());
		UUID byKey = Given.mail(Scope.of(this.person.account(), this.domain, key), "b@c.test");
		assertThat(submitter(byKey)).as("of a mail without a submitter").isEmpty();
		Given.run("update email set api_key_id = '%s' where id = '%s'", key, byKey);
		assertThat(submitter(byKey)).isEqualTo("API_KEY " + key + " shop");
		this.client.change("revokeApiKey", "(id: \"" + key + "\")", "deletedId");
		assertThat(submitter(byKey)).isEqualTo("API_KEY " + key + " ");
		Given.run("update email set person_id = '%s' where id = '%s'", Person.in(this.context).account(), email);
		assertThat(submitter(email)).as("of another account").startsWith("PERSON ").endsWith(" ");
	}

	private String submitter(UUID email) {
		JsonNode submitter = this.client
			.send("{ viewer { email(id: \"" + email + "\") { acceptedBy { kind id name } } } }", Map.of())
			.path("data")
			.path("viewer")
			.path("email")
			.path("acceptedBy");
		return submitter.isObject() ? submitter.path("kind").asString() + " " + submitter.path("id").asString() + " "
				+ submitter.path("name").asString("") : "";
	}

	private JsonNode send(Map<String, Object> variables) {
		return this.client
			.send("mutation($tags: JSON, $headers: JSON, $files: [AttachmentInput!]) { sendEmail(input: { "
					+ "to: [\"b@c.test\"], subject: \"s\", text: \"t\", tags: $tags, headers: $headers, attachments: $files }) "
					+ "{ email { id tags } replayed userErrors { name field message } } }", variables);
	}

}
