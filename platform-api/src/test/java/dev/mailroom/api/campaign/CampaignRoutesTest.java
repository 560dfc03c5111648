package dev.mailroom.api.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@ApiTest
class CampaignRoutesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Client client;

	private Person person;

	private UUID domain;

	private String book;

	@BeforeEach
	void connect() {
		this.client = new Client(this.port);
		this.person = Person.in(this.context);
		this.domain = Given.domain(this.person.account());
		this.book = JsonPath.read(body(post("/api/contact-books", "{\"name\":\"Friends\"}"), 201),
				"$.data.contactBook.id");
		post("/api/contact-books/" + this.book + "/contacts/bulk",
				"[{\"email\":\"a@b.test\"},{\"email\":\"c@d.test\"}]");
	}

	@Test
	void aCampaignIsMadeShownListedAndDeleted() {
		String made = body(post("/api/campaigns", asked("Spring", "")), 201);
		assertThat((Boolean) JsonPath.read(made, "$.success")).isTrue();
		Map<String, Object> shown = JsonPath.read(made, "$.data.campaign");
		assertThat(shown).containsEntry("status", "draft")
			.containsEntry("from", "Ann <ann@" + this.domain + ".test>")
			.containsEntry("from_email", "ann@" + this.domain + ".test")
			.containsEntry("contact_book_id", this.book)
			.containsEntry("reply_to", List.of())
			.containsEntry("send_at", null)
			.containsEntry("total_contacts", 2);
		String path = "/api/campaigns/" + shown.get("id");
		assertThat(body(get(path), 200)).isEqualTo(made);
		String list = body(get("/api/campaigns"), 200);
		Map<String, Object> item = JsonPath.read(list, "$.data.campaigns[0]");
		assertThat(item.keySet()).containsExactlyInAnyOrder("id", "name", "status", "from_email", "subject",
				"contact_book_name", "total_contacts", "sent_count", "delivered_count", "opened_count", "clicked_count",
				"created_at");
		assertThat(item).containsEntry("contact_book_name", "Friends").containsEntry("sent_count", 0);
		assertThat((Map<String, Object>) JsonPath.read(list, "$.data.pagination"))
			.isEqualTo(Map.of("page", 1, "limit", 20, "total", 1, "totalPages", 1));
		assertThat(body(this.client.call(HttpMethod.DELETE, this.person.token(), path), 200))
			.contains("\"deleted\":true");
		refused(get(path), 404, "Campaign not found");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "name|null|name", "name|\"\"|name", "name|7|name", "from|null|from", "from|\"nobody\"|from",
					"subject|null|subject", "subject|\"a\\nb\"|subject", "subject|\"{{x\"|subject",
					"contact_book_id|null|contact_book_id", "contact_book_id|\"nonsense\"|contact_book_id",
					"template_id|\"nonsense\"|template_id", "html_content|null|html_content",
					"html_content|\"{{x\"|html_content", "reply_to|\"nobody\"|reply_to[0]", "reply_to|7|reply_to",
					"send_at|\"tomorrow\"|send_at", "send_at|\"2020-01-01T00:00:00Z\"|send_at",
					"send_at|\"2099-01-01T00:00:00Z\"|send_at" })
	void whatIsWrongWithABodyIsSaid(String field, String value, String fault) {
		String body = asked("Spring", ",\"" + field + "\":" + value);
		String refused = body(post("/api/campaigns", body), 400);
		assertThat((String) JsonPath.read(refused, "$.error")).isEqualTo("Invalid request data");
		assertThat((String) JsonPath.read(refused, "$.details[0].field")).startsWith(fault);
		String path = campaign("draft");
		refused(patch(path, "{\"" + field + "\":" + value + "}"), 400, "Invalid request data");
	}

	@Test
	void whatACampaignNeedsMustBeTheAccounts() {
		String nobodys = UUID.randomUUID().toString();
		refused(post("/api/campaigns", asked("n", ",\"contact_book_id\":\"" + nobodys + "\"")), 404,
				"Contact book not found");
		refused(post("/api/campaigns", asked("n", ",\"html_content\":null,\"template_id\":\"" + nobodys + "\"")), 404,
				"Template not found");
		refused(post("/api/campaigns", asked("n", ",\"template_id\":\"" + nobodys + "\"")), 400,
				"Invalid request data");
		refused(post("/api/campaigns", asked("n", ",\"from\":\"a@other.test\"")), 403, "From domain mismatch");
		Given.run("update domain set status = 'pending' where id = '%s'", this.domain);
		refused(post("/api/campaigns", asked("n", "")), 403, "From domain mismatch");
	}

	@Test
	void anIdOfNobodyAndOneOfAnotherAnswerAlike() {
		String foreign = campaign("running");
		this.person = Person.in(this.context);
		for (String path : List.of(foreign, "/api/campaigns/" + UUID.randomUUID(), "/api/campaigns/nonsense")) {
			refused(get(path), 404, "Campaign not found");
			refused(patch(path, "{}"), 404, "Campaign not found");
			refused(this.client.call(HttpMethod.DELETE, this.person.token(), path), 404, "Campaign not found");
			for (String act : List.of("unschedule", "start", "pause", "resume")) {
				refused(act(path, act), 404, "Campaign not found");
			}
			refused(post(path + "/schedule", at(60)), 404, "Campaign not found");
			refused(post(path + "/test", "{\"to\":\"a@b.test\"}"), 404, "Campaign not found");
		}
	}

	@ParameterizedTest
	@CsvSource({ "start,draft,running,Can only start draft campaigns",
			"pause,running,paused,Can only pause running campaigns",
			"resume,paused,running,Can only resume paused campaigns",
			"unschedule,scheduled,draft,Can only unschedule scheduled campaigns" })
	void anActMovesACampaignFromItsStateAlone(String act, String from, String to, String error) {
		for (String status : List.of("draft", "scheduled", "running", "paused", "sent")) {
			String path = campaign(status);
			if (status.equals(from)) {
				String moved = body(act(path, act), 200);
				assertThat((String) JsonPath.read(moved, "$.data.campaign.status")).isEqualTo(to);
				assertThat(path).endsWith(JsonPath.read(moved, "$.data.campaign.id"));
			}
			else {
				refused(act(path, act), 400, error);
				assertThat((String) JsonPath.read(body(get(path), 200), "$.data.campaign.status")).isEqualTo(status);
			}
		}
	}

	@Test
	void aPauseAnswersWithTheIdAndTheStateAlone() {
		String path = campaign("running");
		assertThat(body(act(path, "pause"), 200)).contains("\"success\":true");
		refused(act(path, "pause"), 400, "Can only pause running campaigns");
		path = campaign("running");
		assertThat((Map<String, Object>) JsonPath.read(body(post(path + "/pause", "{}"), 200), "$.data.campaign"))
			.isEqualTo(Map.of("id", path.substring(path.length() - 36), "status", "paused"));
	}

	@Test
	void onlyDraftsAndPausedCampaignsAreScheduled() {
		for (String status : List.of("draft", "paused")) {
			String path = campaign(status);
			refused(post(path + "/schedule", "{}"), 400, "Invalid request data");
			refused(act(path, "schedule"), 400, "Invalid request data");
			refused(post(path + "/schedule", "{\"send_at\":\"2020-01-01T00:00:00Z\"}"), 400, "Invalid request data");
			assertThat((String) JsonPath.read(body(post(path + "/schedule", at(60)), 200), "$.data.campaign.status"))
				.isEqualTo("scheduled");
		}
		for (String status : List.of("scheduled", "running", "sent")) {
			refused(post(campaign(status) + "/schedule", at(60)), 400, "Can only schedule draft or paused campaigns");
		}
	}

	@Test
	void aCampaignIsChangedAndDeletedWhileItsStateLetsIt() {
		for (String status : List.of("draft", "scheduled")) {
			String changed = body(patch(campaign(status), "{\"name\":\"New\",\"replyTo\":\"r@x.test\"}"), 200);
			assertThat((String) JsonPath.read(changed, "$.data.campaign.name")).isEqualTo("New");
			assertThat((List<String>) JsonPath.read(changed, "$.data.campaign.reply_to")).containsExactly("r@x.test");
			assertThat((String) JsonPath.read(changed, "$.data.campaign.status")).isEqualTo(status);
		}
		for (String status : List.of("running", "paused", "sent")) {
			refused(patch(campaign(status), "{\"name\":\"New\"}"), 400, "Can only edit draft or scheduled campaigns");
		}
		for (String status : List.of("draft", "scheduled", "paused", "sent")) {
			body(this.client.call(HttpMethod.DELETE, this.person.token(), campaign(status)), 200);
		}
		refused(this.client.call(HttpMethod.DELETE, this.person.token(), campaign("running")), 400,
				"Can only delete campaigns that are not running");
	}

	@Test
	void aTemplateTakesThePlaceOfContentAndTheReverse() {
		String template = JsonPath.read(
				body(post("/api/templates", "{\"name\":\"T\",\"text_content\":\"Dear {{first_name}}\"}"), 201),
				"$.data.template.id");
		String path = campaign("draft");
		String changed = body(patch(path, "{\"templateId\":\"" + template + "\"}"), 200);
		assertThat((String) JsonPath.read(changed, "$.data.campaign.template_id")).isEqualTo(template);
		assertThat((String) JsonPath.read(changed, "$.data.campaign.text_content")).isEqualTo("Dear {{first_name}}");
		assertThat((Object) JsonPath.read(changed, "$.data.campaign.html_content")).isNull();
		changed = body(patch(path, "{\"html_content\":\"<p>Own</p>\"}"), 200);
		assertThat((Object) JsonPath.read(changed, "$.data.campaign.template_id")).isNull();
		assertThat((Object) JsonPath.read(changed, "$.data.campaign.text_content")).isNull();
		refused(patch(path, "{\"html_content\":null}"), 400, "Invalid request data");
	}

	@Test
	void ofManyPausesAtOnceOneWins() {
		String path = campaign("running");
		List<Integer> statuses = IntStream.range(0, 32)
			.parallel()
			.mapToObj((_) -> act(path, "pause").expectBody().returnResult().getStatus().value())
			.toList();
		assertThat(statuses).containsOnly(200, 400).containsOnlyOnce(200);
	}

	@Test
	void anEmptyBookIsNotStarted() {
		String path = campaign("draft");
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.book);
		refused(act(path, "start"), 400, "Contact book is empty");
	}

	@Test
	void aListIsPagedAndFiltered() {
		for (int i = 0; i < 21; i++) {
			post("/api/campaigns", asked("No. " + i, ""));
		}
		post("/api/campaigns", asked("100% off", ",\"send_at\":\"" + Instant.now().plusSeconds(60) + "\""));
		String first = body(get("/api/campaigns"), 200);
		assertThat((List<String>) JsonPath.read(first, "$.data.campaigns[*].name")).hasSize(20).startsWith("100% off");
		String second = body(get("/api/campaigns?page=2"), 200);
		assertThat((List<String>) JsonPath.read(second, "$.data.campaigns[*].name")).containsExactly("No. 1", "No. 0");
		assertThat((Integer) JsonPath.read(second, "$.data.pagination.totalPages")).isEqualTo(2);
		assertThat(total("/api/campaigns?status=scheduled")).isEqualTo(1);
		assertThat(total("/api/campaigns?status=sent")).isZero();
		assertThat(total("/api/campaigns?search=no. 2")).isEqualTo(2);
		assertThat(total("/api/campaigns?search=SUBJECT")).isEqualTo(22);
		assertThat(total("/api/campaigns?search=_")).isZero();
		assertThat(total("/api/campaigns?search=off&status=draft")).isZero();
		assertThat((List<?>) JsonPath.read(body(get("/api/campaigns?page=9"), 200), "$.data.campaigns")).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "status=done", "status=", "status=DRAFT", "page=0", "page=x", "limit=0", "limit=101" })
	void aBadQueryIsRefused(String query) {
		refused(get("/api/campaigns?" + query), 400, "Invalid request data");
	}

	@Test
	void aKeyMakesEachPostOnce() {
		String body = asked("Once", "");
		String first = body(keyed("/api/campaigns", body), 201);
		assertThat(body(keyed("/api/campaigns", body), 201)).isEqualTo(first);
		assertThat(total("/api/campaigns")).isEqualTo(1);
		refused(keyed("/api/campaigns", asked("Twice", "")), 409, "Idempotency key reused");
		String path = campaign("running");
		String paused = body(keyed(path + "/pause", "{}"), 200);
		keyed(path + "/pause", "{}").expectHeader().valueEquals("Idempotency-Replayed", "true");
		assertThat(body(keyed(path + "/pause", "{}"), 200)).isEqualTo(paused);
		body(keyed(path + "/resume", "{}"), 200);
		body(keyed(path + "/resume", "{}"), 200);
	}

	@Test
	void aCampaignIsTriedOutWithARealMailThatCounts() {
		String path = campaign("draft");
		String sent = body(keyed(path + "/test", "{\"to\":[\"x@y.test\",\"z@y.test\"]}"), 200);
		assertThat(body(keyed(path + "/test", "{\"to\":[\"x@y.test\",\"z@y.test\"]}"), 200)).isEqualTo(sent);
		assertThat((List<String>) JsonPath.read(sent, "$.data.email.to")).containsExactly("x@y.test", "z@y.test");
		assertThat(Given.rows("select subject || ' ' || html || ' ' || sender from email join email_content "
				+ "on email_id = id where id = '%s'", (String) JsonPath.read(sent, "$.data.email.id")))
			.containsExactly("The subject <p>Hi Ann</p> Ann <ann@" + this.domain + ".test>");
		assertThat(Given.rows("select used from quota_use where account_id = '%s' and period = 'day'",
				this.person.account()))
			.containsExactly("1");
		refused(post(path + "/test", "{}"), 400, "Invalid request data");
		refused(post(path + "/test", "{\"to\":\"nobody\"}"), 400, "Invalid request data");
		Given.run("update quota_use set used = 100 where account_id = '%s'", this.person.account());
		refused(post(path + "/test", "{\"to\":\"a@b.test\"}"), 429, "Daily/monthly limit reached");
	}

	private String asked(String name, String more) {
		return """
				{"name":"%s","from":"Ann <ann@%s.test>","subject":"The subject","contact_book_id":"%s",
				 "html_content":"<p>Hi {{first_name}}</p>"%s}""".formatted(name, this.domain, this.book, more);
	}

	private static String at(int seconds) {
		return "{\"send_at\":\"" + Instant.now().plusSeconds(seconds) + "\"}";
	}

	/**
	 * The path of a campaign that stands where no route but the system may have put it.
	 */
	private String campaign(String status) {
		String id = JsonPath.read(body(post("/api/campaigns", asked("n", "")), 201), "$.data.campaign.id");
		Given.run("update campaign set status = '%1$s', "
				+ "send_at = case when '%1$s' = 'scheduled' then now() + interval '1 hour' end, "
				+ "started_at = case when '%1$s' in ('running', 'paused', 'sent') then now() end where id = '%2$s'",
				status, id);
		return "/api/campaigns/" + id;
	}

	private int total(String path) {
		return JsonPath.read(body(get(path), 200), "$.data.pagination.total");
	}

	private WebTestClient.ResponseSpec get(String path) {
		return this.client.get(this.person.token(), path);
	}

	private WebTestClient.ResponseSpec post(String path, String body) {
		return this.client.send(HttpMethod.POST, this.person.token(), path, body);
	}

	private WebTestClient.ResponseSpec patch(String path, String body) {
		return this.client.send(HttpMethod.PATCH, this.person.token(), path, body);
	}

	private WebTestClient.ResponseSpec act(String path, String act) {
		return this.client.call(HttpMethod.POST, this.person.token(), path + "/" + act);
	}

	private WebTestClient.ResponseSpec keyed(String path, String body) {
		return this.client.web()
			.post()
			.uri(path)
			.headers((headers) -> headers.setBearerAuth(this.person.token()))
			.header("Idempotency-Key", "the key")
			.header("Content-Type", "application/json")
			.bodyValue(body)
			.exchange();
	}

	private static String body(WebTestClient.ResponseSpec response, int status) {
		return String.valueOf(
				response.expectStatus().isEqualTo(status).expectBody(String.class).returnResult().getResponseBody());
	}

	private static void refused(WebTestClient.ResponseSpec response, int status, String error) {
		assertThat((String) JsonPath.read(body(response, status), "$.error")).isEqualTo(error);
	}

}
