package dev.mailroom.api.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;

import static dev.mailroom.api.campaign.CampaignClient.body;
import static dev.mailroom.api.campaign.CampaignClient.refused;
import static dev.mailroom.api.campaign.CampaignClient.sendIn;
import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class CampaignRoutesTest {

	@Autowired
	ApplicationContext context;

	private final CampaignClient client;

	@Autowired
	CampaignRoutesTest(Client http, Person person) {
		this.client = new CampaignClient(http, person);
	}

	@Test
	void aCampaignIsCreatedShownListedAndDeleted() {
		String created = body(this.client.post("/api/campaigns", this.client.createBody("Spring", "")), 201);
		assertThat((Boolean) JsonPath.read(created, "$.success")).isTrue();
		Map<String, Object> shown = JsonPath.read(created, "$.data.campaign");
		assertThat(shown).containsEntry("status", "draft")
			.containsEntry("from", "Ann <ann@" + this.client.domain + ".test>")
			.containsEntry("from_email", "ann@" + this.client.domain + ".test")
			.containsEntry("contact_book_id", this.client.book)
			.containsEntry("reply_to", List.of())
			.containsEntry("send_at", null)
			.containsEntry("total_contacts", 2);
		String path = "/api/campaigns/" + shown.get("id");
		Map<String, Object> detail = JsonPath.read(body(this.client.get(path), 200), "$.data.campaign");
		assertThat(detail).containsAllEntriesOf(shown)
			.containsEntry("paused_reason", null)
			.containsEntry("filter", null)
			.containsEntry("pace", null)
			.containsEntry("bounced_count", 0)
			.containsEntry("complained_count", 0)
			.containsEntry("unsubscribed_count", 0)
			.containsEntry("failed_count", 0)
			.containsEntry("skipped_count", 0)
			.hasSize(shown.size() + 8);
		String list = body(this.client.get("/api/campaigns"), 200);
		Map<String, Object> item = JsonPath.read(list, "$.data.campaigns[0]");
		assertThat(item.keySet()).containsExactlyInAnyOrder("id", "name", "status", "from_email", "subject",
				"contact_book_name", "total_contacts", "sent_count", "delivered_count", "opened_count", "clicked_count",
				"created_at");
		assertThat(item).containsEntry("contact_book_name", "Friends").containsEntry("sent_count", 0);
		assertThat((Map<String, Object>) JsonPath.read(list, "$.data.pagination"))
			.isEqualTo(Map.of("page", 1, "limit", 20, "total", 1, "totalPages", 1));
		assertThat(body(this.client.http.call(HttpMethod.DELETE, this.client.person.token(), path), 200))
			.contains("\"deleted\":true");
		refused(this.client.get(path), 404, "Campaign not found");
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
	void anInvalidFieldIsNamedInTheError(String field, String value, String errorField) {
		String body = this.client.createBody("Spring", ",\"" + field + "\":" + value);
		String refused = body(this.client.post("/api/campaigns", body), 400);
		assertThat((String) JsonPath.read(refused, "$.error")).isEqualTo("Invalid request data");
		assertThat((String) JsonPath.read(refused, "$.details[0].field")).startsWith(errorField);
		String path = this.client.campaign("draft");
		refused(this.client.patch(path, "{\"" + field + "\":" + value + "}"), 400, "Invalid request data");
	}

	@Test
	void referencesMustBelongToTheAccount() {
		String unknown = UUID.randomUUID().toString();
		refused(this.client.post("/api/campaigns",
				this.client.createBody("n", ",\"contact_book_id\":\"" + unknown + "\"")), 404,
				"Contact book not found");
		refused(this.client.post("/api/campaigns",
				this.client.createBody("n", ",\"html_content\":null,\"template_id\":\"" + unknown + "\"")), 404,
				"Template not found");
		refused(this.client.post("/api/campaigns", this.client.createBody("n", ",\"template_id\":\"" + unknown + "\"")),
				400, "Invalid request data");
		refused(this.client.post("/api/campaigns", this.client.createBody("n", ",\"from\":\"a@other.test\"")), 403,
				"From domain mismatch");
		Given.run("update domain set status = 'pending' where id = '%s'", this.client.domain);
		refused(this.client.post("/api/campaigns", this.client.createBody("n", "")), 403, "From domain mismatch");
	}

	@Test
	void unknownAndForeignIdsAreNotFound() {
		String foreign = this.client.campaign("running");
		this.client.person = Person.in(this.context);
		for (String path : List.of(foreign, "/api/campaigns/" + UUID.randomUUID(), "/api/campaigns/nonsense")) {
			refused(this.client.get(path), 404, "Campaign not found");
			refused(this.client.patch(path, "{}"), 404, "Campaign not found");
			refused(this.client.http.call(HttpMethod.DELETE, this.client.person.token(), path), 404,
					"Campaign not found");
			for (String action : List.of("unschedule", "start", "pause", "resume")) {
				refused(this.client.perform(path, action), 404, "Campaign not found");
			}
			refused(this.client.post(path + "/schedule", sendIn(60)), 404, "Campaign not found");
			refused(this.client.post(path + "/test", "{\"to\":\"a@b.test\"}"), 404, "Campaign not found");
		}
	}

	@Test
	void aCampaignIsEditedAndDeletedInThePermittedStatesOnly() {
		for (String status : List.of("draft", "scheduled")) {
			String changed = body(
					this.client.patch(this.client.campaign(status), "{\"name\":\"New\",\"replyTo\":\"r@x.test\"}"),
					200);
			assertThat((String) JsonPath.read(changed, "$.data.campaign.name")).isEqualTo("New");
			assertThat((List<String>) JsonPath.read(changed, "$.data.campaign.reply_to")).containsExactly("r@x.test");
			assertThat((String) JsonPath.read(changed, "$.data.campaign.status")).isEqualTo(status);
		}
		for (String status : List.of("running", "paused", "sent")) {
			refused(this.client.patch(this.client.campaign(status), "{\"name\":\"New\"}"), 400,
					"Can only edit draft or scheduled campaigns");
		}
		for (String status : List.of("draft", "scheduled", "paused", "sent")) {
			body(this.client.http.call(HttpMethod.DELETE, this.client.person.token(), this.client.campaign(status)),
					200);
		}
		refused(this.client.http.call(HttpMethod.DELETE, this.client.person.token(), this.client.campaign("running")),
				400, "Can only delete campaigns that are not running");
	}

	@Test
	void aTemplateReplacesTheContentAndTheReverse() {
		String template = JsonPath
			.read(body(this.client.post("/api/templates", "{\"name\":\"T\",\"text_content\":\"Dear {{first_name}}\"}"),
					201), "$.data.template.id");
		String path = this.client.campaign("draft");
		String changed = body(this.client.patch(path, "{\"templateId\":\"" + template + "\"}"), 200);
		assertThat((String) JsonPath.read(changed, "$.data.campaign.template_id")).isEqualTo(template);
		assertThat((String) JsonPath.read(changed, "$.data.campaign.text_content")).isEqualTo("Dear {{first_name}}");
		assertThat((Object) JsonPath.read(changed, "$.data.campaign.html_content")).isNull();
		changed = body(this.client.patch(path, "{\"html_content\":\"<p>Own</p>\"}"), 200);
		assertThat((Object) JsonPath.read(changed, "$.data.campaign.template_id")).isNull();
		assertThat((Object) JsonPath.read(changed, "$.data.campaign.text_content")).isNull();
		refused(this.client.patch(path, "{\"html_content\":null}"), 400, "Invalid request data");
	}

	@Test
	void aListIsPagedAndFiltered() {
		for (int i = 0; i < 21; i++) {
			this.client.post("/api/campaigns", this.client.createBody("No. " + i, ""));
		}
		this.client.post("/api/campaigns",
				this.client.createBody("100% off", ",\"send_at\":\"" + Instant.now().plusSeconds(60) + "\""));
		String first = body(this.client.get("/api/campaigns"), 200);
		assertThat((List<String>) JsonPath.read(first, "$.data.campaigns[*].name")).hasSize(20).startsWith("100% off");
		String second = body(this.client.get("/api/campaigns?page=2"), 200);
		assertThat((List<String>) JsonPath.read(second, "$.data.campaigns[*].name")).containsExactly("No. 1", "No. 0");
		assertThat((Integer) JsonPath.read(second, "$.data.pagination.totalPages")).isEqualTo(2);
		assertThat(this.client.total("/api/campaigns?status=scheduled")).isEqualTo(1);
		assertThat(this.client.total("/api/campaigns?status=sent")).isZero();
		assertThat(this.client.total("/api/campaigns?search=no. 2")).isEqualTo(2);
		assertThat(this.client.total("/api/campaigns?search=SUBJECT")).isEqualTo(22);
		assertThat(this.client.total("/api/campaigns?search=_")).isZero();
		assertThat(this.client.total("/api/campaigns?search=off&status=draft")).isZero();
		assertThat((List<?>) JsonPath.read(body(this.client.get("/api/campaigns?page=9"), 200), "$.data.campaigns"))
			.isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "status=done", "status=", "status=DRAFT", "page=0", "page=x", "limit=0", "limit=101" })
	void anInvalidQueryIsRefused(String query) {
		refused(this.client.get("/api/campaigns?" + query), 400, "Invalid request data");
	}

	@Test
	void filterAndPaceAreSetChangedAndRemoved() {
		String filter = "{\"property\":\"city\",\"equals\":\"Graz\"}";
		String path = "/api/campaigns/" + JsonPath.read(
				body(this.client.post("/api/campaigns",
						this.client.createBody("n", ",\"filter\":" + filter + ",\"pace\":60")), 201),
				"$.data.campaign.id");
		String shown = body(this.client.get(path), 200);
		assertThat((Map<String, Object>) JsonPath.read(shown, "$.data.campaign.filter"))
			.isEqualTo(Map.of("property", "city", "equals", "Graz"));
		assertThat((Integer) JsonPath.read(shown, "$.data.campaign.pace")).isEqualTo(60);
		refused(this.client.perform(path, "start"), 400, "Contact book is empty");
		body(this.client.patch(path, "{\"filter\":null,\"pace\":null}"), 200);
		Map<String, Object> changed = JsonPath.read(body(this.client.get(path), 200), "$.data.campaign");
		assertThat(changed).containsEntry("filter", null).containsEntry("pace", null);
		for (String wrong : List.of("{\"filter\":{\"city\":1}}", "{\"filter\":[]}", "{\"pace\":0}",
				"{\"pace\":\"x\"}")) {
			refused(this.client.patch(path, wrong), 400, "Invalid request data");
		}
	}

	@Test
	void resultsAreShownOverTimeAndByLink() {
		String path = this.client.campaign("sent");
		String id = path.substring(path.length() - 36);
		for (String minute : List.of("2026-01-02T03:04:00Z", "2026-01-02T03:05:00Z", "2026-01-02T05:00:00Z")) {
			Given.run("insert into campaign_minute (campaign_id, minute, slot, account_id, sent, delivered) "
					+ "values ('%s', '%s', 1, '%s', 3, 2)", id, minute, this.client.person.account());
		}
		Given.run("insert into campaign_link (campaign_id, link_id, slot, account_id, url, clicks) "
				+ "values ('%1$s', '%1$s', 1, '%2$s', 'https://a.test/', 2), "
				+ "('%1$s', '%1$s', 2, '%2$s', 'https://a.test/', 5)", id, this.client.person.account());
		String hours = body(this.client.get(path + "/series"), 200);
		assertThat((List<Integer>) JsonPath.read(hours, "$.data.series[*].sent_count")).containsExactly(6, 3);
		assertThat((String) JsonPath.read(hours, "$.data.series[0].at")).startsWith("2026-01-02T03:00:00");
		assertThat((List<Integer>) JsonPath.read(body(this.client.get(path + "/series?interval=day"), 200),
				"$.data.series[*].delivered_count"))
			.containsExactly(6);
		refused(this.client.get(path + "/series?interval=week"), 400, "Invalid request data");
		assertThat(
				(List<Map<String, Object>>) JsonPath.read(body(this.client.get(path + "/links"), 200), "$.data.links"))
			.containsExactly(Map.of("url", "https://a.test/", "click_count", 7));
		String unknown = "/api/campaigns/" + UUID.randomUUID();
		refused(this.client.get(unknown + "/series"), 404, "Campaign not found");
		refused(this.client.get(unknown + "/links"), 404, "Campaign not found");
	}

}
