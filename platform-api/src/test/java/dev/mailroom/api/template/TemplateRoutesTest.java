package dev.mailroom.api.template;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class TemplateRoutesTest {

	private static final String WELCOME = """
			{"name":"Welcome","subject":"Hi {{name|you}}","html_content":"<p>{{name}} {{code}}</p>"}""";

	@Autowired
	ApplicationContext context;

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void aTemplateIsCreatedShownListedAndDeleted() {
		String created = body(post("/api/templates", WELCOME), 201);
		assertThat((Boolean) JsonPath.read(created, "$.success")).isTrue();
		assertThat((List<String>) JsonPath.read(created, "$.data.template.variables")).containsExactly("name", "code");
		assertThat((Object) JsonPath.read(created, "$.data.template.text_content")).isNull();
		assertThat((String) JsonPath.read(created, "$.data.template.created_at"))
			.isEqualTo(JsonPath.read(created, "$.data.template.updated_at"));
		String path = "/api/templates/" + JsonPath.read(created, "$.data.template.id");
		assertThat(body(this.client.get(this.person.token(), path), 200)).isEqualTo(created);
		String list = body(this.client.get(this.person.token(), "/api/templates"), 200);
		assertThat((String) JsonPath.read(list, "$.data.templates[0].name")).isEqualTo("Welcome");
		assertThat((Integer) JsonPath.read(list, "$.data.pagination.total")).isEqualTo(1);
		assertThat(body(this.client.call(HttpMethod.DELETE, this.person.token(), path), 200))
			.contains("\"deleted\":true");
		refused(this.client.get(this.person.token(), path), 404, "Template not found");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "{}|name", "{\"name\":\"n\"}|html_content",
					"{\"name\":\"n\",\"html_content\":null,\"text_content\":\"\"}|html_content",
					"{\"text_content\":\"t\"}|name", "{\"name\":\"n\",\"text_content\":\"{{a\"}|text_content",
					"{\"name\":5,\"text_content\":\"t\"}|name",
					"{\"name\":\"n\",\"subject\":[],\"text_content\":\"t\"}|subject" })
	void anInvalidFieldIsNamedInTheError(String body, String field) {
		post("/api/templates", body).expectStatus()
			.isBadRequest()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Invalid request data")
			.jsonPath("$.details[0].field")
			.isEqualTo(field);
	}

	@Test
	void aNameIsUniqueWithinTheAccount() {
		List<Integer> statuses = IntStream.range(0, 8)
			.parallel()
			.mapToObj((_) -> post("/api/templates", WELCOME).expectBody().returnResult().getStatus().value())
			.toList();
		assertThat(statuses).containsOnly(201, 409).containsOnlyOnce(201);
		refused(post("/api/templates", WELCOME), 409, "Duplicate name");
	}

	@Test
	void aPatchKeepsAbsentFieldsAndRemovesNullOnes() {
		String path = template(WELCOME);
		String changed = body(patch(path, "{\"textContent\":\"Hello {{x}}\",\"subject\":null}"), 200);
		assertThat((Object) JsonPath.read(changed, "$.data.template.subject")).isNull();
		assertThat((String) JsonPath.read(changed, "$.data.template.html_content")).startsWith("<p>");
		assertThat((List<String>) JsonPath.read(changed, "$.data.template.variables")).containsExactly("name", "code",
				"x");
		body(patch(path, "{\"html_content\":null}"), 200);
		refused(patch(path, "{\"text_content\":null}"), 400, "Invalid request data");
		refused(patch(path, "{\"name\":null}"), 400, "Invalid request data");
		refused(patch(path, "{\"name\":7}"), 400, "Invalid request data");
		template("{\"name\":\"Other\",\"text_content\":\"t\"}");
		refused(patch(path, "{\"name\":\"Other\"}"), 409, "Duplicate name");
	}

	@Test
	void unknownAndForeignIdsAreNotFound() {
		String foreign = template(WELCOME);
		this.person = Person.in(this.context);
		for (String path : List.of(foreign, "/api/templates/" + UUID.randomUUID(), "/api/templates/nonsense")) {
			refused(this.client.get(this.person.token(), path), 404, "Template not found");
			refused(patch(path, "{}"), 404, "Template not found");
			refused(this.client.call(HttpMethod.DELETE, this.person.token(), path), 404, "Template not found");
			refused(post(path + "/render", "{}"), 404, "Template not found");
			refused(post(path + "/test", "{\"to\":\"a@b.test\"}"), 404, "Template not found");
		}
	}

	@Test
	void aTemplateIsRenderedInTheResponse() {
		String path = template(WELCOME);
		String rendered = body(post(path + "/render", "{\"variables\":{\"name\":\"<Ann>\",\"other\":1}}"), 200);
		assertThat((String) JsonPath.read(rendered, "$.data.subject")).isEqualTo("Hi <Ann>");
		assertThat((String) JsonPath.read(rendered, "$.data.html")).isEqualTo("<p>&lt;Ann&gt; </p>");
		assertThat((Object) JsonPath.read(rendered, "$.data.text")).isNull();
		assertThat((List<String>) JsonPath.read(rendered, "$.data.missing")).containsExactly("code");
		String withoutBody = body(this.client.call(HttpMethod.POST, this.person.token(), path + "/render"), 200);
		assertThat((List<String>) JsonPath.read(withoutBody, "$.data.missing")).containsExactly("name", "code");
		refused(post(path + "/render", "{\"variables\":{\"name\":\"a\\r\\nBcc: x@y.test\"}}"), 400,
				"Invalid request data");
		refused(post(path + "/render", "{\"variables\":{\"name\":{}}}"), 400, "Invalid request data");
		refused(post(path + "/render", "{\"variables\":[]}"), 400, "Invalid request data");
	}

	@Test
	void numbersAreRenderedInPlainNotation() {
		String path = template("{\"name\":\"n\",\"text_content\":\"{{a}} {{b}} {{c}} {{d}}\"}");
		assertThat(body(post(path + "/render",
				"{\"variables\":{\"a\":12345678.9,\"b\":7,\"c\":true,\"d\":123456789012345678901}}"), 200))
			.contains("\"12345678.9 7 true 123456789012345678901\"");
	}

	@Test
	void aTestMailIsSentAndCountsTowardsTheQuota() {
		String path = template(WELCOME);
		refused(post(path + "/test", "{\"to\":\"a@b.test\"}"), 403, "Domain not verified");
		UUID domain = Given.domain(this.person.account());
		String sent = body(post(path + "/test", "{\"to\":\"a@b.test\",\"variables\":{\"name\":\"Ann\"}}"), 200);
		String id = JsonPath.read(sent, "$.data.email.id");
		assertThat((String) JsonPath.read(sent, "$.data.email.from")).isEqualTo("no-reply@" + domain + ".test");
		assertThat(Given.rows("select subject || ' ' || html from email join email_content on email_id = id "
				+ "where id = '%s' and domain_id = '%s'", id, domain))
			.containsExactly("Hi Ann <p>Ann </p>");
		assertThat(Given.rows("select used from quota_use where account_id = '%s' and period = 'day'",
				this.person.account()))
			.containsExactly("1");
		body(post(path + "/test", "{\"to\":[\"a@b.test\"],\"from\":\"Ann <ann@" + domain + ".test>\"}"), 200);
		refused(post(path + "/test", "{\"to\":\"a@b.test\",\"from\":\"a@other.test\"}"), 403, "From domain mismatch");
		refused(post(path + "/test", "{\"to\":\"nobody\"}"), 400, "Invalid request data");
		refused(post(path + "/test", "{}"), 400, "Invalid request data");
		Given.run("update quota_use set used = 100 where account_id = '%s'", this.person.account());
		refused(post(path + "/test", "{\"to\":\"a@b.test\"}"), 429, "Daily/monthly limit reached");
		Given.run("update account set email_verified_at = null where id = '%s'", this.person.account());
		refused(post(path + "/test", "{\"to\":\"a@b.test\"}"), 403, "Email not verified");
	}

	private String template(String body) {
		return "/api/templates/" + JsonPath.read(body(post("/api/templates", body), 201), "$.data.template.id");
	}

	private WebTestClient.ResponseSpec post(String path, String body) {
		return this.client.send(HttpMethod.POST, this.person.token(), path, body);
	}

	private WebTestClient.ResponseSpec patch(String path, String body) {
		return this.client.send(HttpMethod.PATCH, this.person.token(), path, body);
	}

	private static String body(WebTestClient.ResponseSpec response, int status) {
		return String.valueOf(
				response.expectStatus().isEqualTo(status).expectBody(String.class).returnResult().getResponseBody());
	}

	private static void refused(WebTestClient.ResponseSpec response, int status, String error) {
		assertThat((String) JsonPath.read(body(response, status), "$.error")).isEqualTo(error);
	}

}
