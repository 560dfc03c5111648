package dev.mailroom.api.email;

import java.util.List;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

import static org.assertj.core.api.Assertions.assertThat;

/** Mails sent with a template in place of their own body. */
@WithApi
class TemplateSendTest {

	@Autowired
	Client client;

	@Autowired
	ApiKeys keys;

	@Autowired
	Templates templates;

	private final Scope scope = Given.sender("free");

	private String key;

	private UUID template;

	@BeforeEach
	void make() {
		this.key = this.keys.create(Scope.of(this.scope.account()), this.scope.domain(), "key", null).block().text();
		this.template = template(Scope.of(this.scope.account()));
	}

	@Test
	void aMailHasTheRenderedContentOfItsTemplate() {
		EntityExchangeResult<String> sent = send("", "\"variables\":{\"name\":\"<Ann>\"}");
		assertThat(sent.getStatus().value()).isEqualTo(200);
		assertThat(stored(sent)).containsExactly("Hello <Ann>|<p>&lt;Ann&gt;</p>|Hi <Ann>");
		assertThat(stored(send("", "\"subject\":\"{{Own}}\""))).containsExactly("{{Own}}|<p></p>|Hi ");
	}

	@Test
	void aMissingTemplateAndThatOfAnotherAccountAreNotFound() {
		UUID foreign = template(Scope.of(Given.account("free")));
		for (UUID id : List.of(foreign, UUID.randomUUID())) {
			refused(404, "Template not found", send("", "\"template_id\":\"" + id + "\""));
			refused(404, "Template not found", send("key", "\"template_id\":\"" + id + "\""));
		}
		assertThat(Given.rows("select count(*) from quota_use where account_id = '%s'", this.scope.account()))
			.containsExactly("0");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "\"template_id\":\"nonsense\"|template_id", "\"template_id\":7|template_id",
					"\"text\":\"own\"|template_id", "\"variables\":{\"name\":[]}|variables.name",
					"\"variables\":{\"name\":\"a\\r\\nBcc: x@y.test\"}|variables", "\"variables\":3|variables" })
	void aFaultIsAValidationErrorOfItsField(String fields, String field) {
		EntityExchangeResult<String> response = send("", fields);
		refused(400, "Validation error", response);
		assertThat((String) JsonPath.read(response.getResponseBody(), "$.details[0].field")).isEqualTo(field);
	}

	@Test
	void eachMailOfABatchHasItsOwnTemplateAndError() {
		String body = "[" + mail("\"variables\":{\"name\":\"A\"}") + ","
				+ mail("\"template_id\":\"" + UUID.randomUUID() + "\"") + "," + mail("\"template_id\":\"x\"") + ","
				+ mail("\"variables\":{\"name\":\"B\"}") + "]";
		String response = String.valueOf(post("/api/emails/batch", body, "").getResponseBody());
		assertThat((List<String>) JsonPath.read(response, "$.data[*].error.error"))
			.containsExactly("Template not found", "Validation error");
		assertThat((Integer) JsonPath.read(response, "$.data[1].error.statusCode")).isEqualTo(404);
		assertThat(
				Given.rows("select subject from email where account_id = '%s' order by subject", this.scope.account()))
			.containsExactly("Hello A", "Hello B");
	}

	@Test
	void aBatchWhoseRenderedMailsAreTooLargeIsRefused() {
		String longest = "{\"variables\":{\"big\":\"" + "x".repeat(20_000) + "\"}," + mail("").substring(1);
		String body = "[" + longest + (",\n" + longest).repeat(99) + "]";
		refused(413, "Payload too large", post("/api/emails/batch", body, ""));
		assertThat(Given.rows("select count(*) from email where account_id = '%s'", this.scope.account()))
			.containsExactly("0");
	}

	@Test
	void aRetryRepeatsTheResponseAfterTheTemplateIsDeleted() {
		String first = String.valueOf(send("retry", "\"variables\":{}").getResponseBody());
		this.templates.delete(this.scope, this.template).block();
		EntityExchangeResult<String> retry = send("retry", "\"variables\":{}");
		assertThat(retry.getResponseBody()).isEqualTo(first);
		assertThat(retry.getResponseHeaders().getFirst("Idempotency-Replayed")).isEqualTo("true");
		refused(409, "Idempotency key reused", send("retry", "\"variables\":{\"name\":\"x\"}"));
		refused(404, "Template not found", send("other", "\"variables\":{}"));
		refused(404, "Template not found", send("other", "\"variables\":{}"));
	}

	private UUID template(Scope owner) {
		return this.templates
			.create(owner,
					new Template.Form("Hello", "Hello {{name}}", "<p>{{name}}</p>",
							"Hi {{name}}" + "{{big}}".repeat(20)))
			.block()
			.id();
	}

	private String mail(String fields) {
		String template = fields.contains("template_id") ? "" : ",\"template_id\":\"" + this.template + "\"";
		return "{\"from\":\"a@" + this.scope.domain() + ".test\",\"to\":\"c@d.test\"" + template
				+ (fields.isEmpty() ? "" : "," + fields) + "}";
	}

	private EntityExchangeResult<String> send(String key, String fields) {
		return post("/api/emails", mail(fields), key);
	}

	private EntityExchangeResult<String> post(String path, String body, String key) {
		return this.client.web().post().uri(path).headers((headers) -> {
			headers.setBearerAuth(this.key);
			if (!key.isEmpty()) {
				headers.set("Idempotency-Key", key);
			}
		}).contentType(MediaType.APPLICATION_JSON).bodyValue(body).exchange().expectBody(String.class).returnResult();
	}

	private List<String> stored(EntityExchangeResult<String> sent) {
		return Given.rows("select subject || '|' || html || '|' || text from email join email_content on email_id = id "
				+ "where id = '%s'", (String) JsonPath.read(sent.getResponseBody(), "$.id"));
	}

	private static void refused(int status, String error, EntityExchangeResult<String> response) {
		assertThat(response.getStatus().value()).isEqualTo(status);
		assertThat((String) JsonPath.read(response.getResponseBody(), "$.error")).isEqualTo(error);
	}

}
