package dev.mailroom.api.campaign;

import java.util.List;
import java.util.Map;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.api.campaign.CampaignClient.body;
import static dev.mailroom.api.campaign.CampaignClient.refused;
import static dev.mailroom.api.campaign.CampaignClient.sendIn;
import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class CampaignStateRoutesTest {

	private final CampaignClient client;

	@Autowired
	CampaignStateRoutesTest(Client http, Person person) {
		this.client = new CampaignClient(http, person);
	}

	@ParameterizedTest
	@CsvSource({ "start,draft,running,Can only start draft campaigns",
			"pause,running,paused,Can only pause running campaigns",
			"resume,paused,running,Can only resume paused campaigns",
			"unschedule,scheduled,draft,Can only unschedule scheduled campaigns" })
	void anActionSucceedsOnceAndIsThenRefused(String action, String from, String to, String error) {
		String path = this.client.campaign(from);
		String response = body(this.client.perform(path, action), 200);
		assertThat((String) JsonPath.read(response, "$.data.campaign.status")).isEqualTo(to);
		assertThat(path).endsWith(JsonPath.read(response, "$.data.campaign.id"));
		refused(this.client.perform(path, action), 400, error);
	}

	@Test
	void aPauseRespondsWithIdAndStatusOnly() {
		String path = this.client.campaign("running");
		assertThat((Map<String, Object>) JsonPath.read(body(this.client.post(path + "/pause", "{}"), 200),
				"$.data.campaign"))
			.isEqualTo(Map.of("id", path.substring(path.length() - 36), "status", "paused"));
	}

	@Test
	void campaignsOfAPausedAccountNeitherStartNorResume() {
		String draft = this.client.campaign("draft");
		String paused = this.client.campaign("paused");
		Given.run("update account set paused_reason = 'Too many bounces' where id = '%s'",
				this.client.person.account());
		refused(this.client.perform(draft, "start"), 403, "Account paused");
		refused(this.client.perform(paused, "resume"), 403, "Account paused");
		assertThat((String) JsonPath.read(body(this.client.get(draft), 200), "$.data.campaign.status"))
			.isEqualTo("draft");
	}

	@Test
	void aCampaignIsScheduledForALaterTimeOnce() {
		String path = this.client.campaign("paused");
		refused(this.client.post(path + "/schedule", "{}"), 400, "Invalid request data");
		refused(this.client.perform(path, "schedule"), 400, "Invalid request data");
		refused(this.client.post(path + "/schedule", "{\"send_at\":\"2020-01-01T00:00:00Z\"}"), 400,
				"Invalid request data");
		assertThat((String) JsonPath.read(body(this.client.post(path + "/schedule", sendIn(60)), 200),
				"$.data.campaign.status"))
			.isEqualTo("scheduled");
		refused(this.client.post(path + "/schedule", sendIn(60)), 400, "Can only schedule draft or paused campaigns");
	}

	@Test
	void aCampaignWithoutSubscribedContactsDoesNotStart() {
		String path = this.client.campaign("draft");
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.client.book);
		refused(this.client.perform(path, "start"), 400, "Contact book is empty");
	}

	@Test
	void aPostWithAKeyIsProcessedOnce() {
		String body = this.client.createBody("Once", "");
		String first = body(this.client.postWithKey("/api/campaigns", body), 201);
		assertThat(body(this.client.postWithKey("/api/campaigns", body), 201)).isEqualTo(first);
		assertThat(this.client.total("/api/campaigns")).isEqualTo(1);
		refused(this.client.postWithKey("/api/campaigns", this.client.createBody("Twice", "")), 409,
				"Idempotency key reused");
		String path = this.client.campaign("running");
		String paused = body(this.client.postWithKey(path + "/pause", "{}"), 200);
		this.client.postWithKey(path + "/pause", "{}").expectHeader().valueEquals("Idempotency-Replayed", "true");
		assertThat(body(this.client.postWithKey(path + "/pause", "{}"), 200)).isEqualTo(paused);
		body(this.client.postWithKey(path + "/resume", "{}"), 200);
		body(this.client.postWithKey(path + "/resume", "{}"), 200);
	}

	@Test
	void aTestMailIsSentAndCountsTowardsTheQuota() {
		String path = this.client.campaign("draft");
		String sent = body(this.client.postWithKey(path + "/test", "{\"to\":[\"x@y.test\",\"z@y.test\"]}"), 200);
		assertThat(body(this.client.postWithKey(path + "/test", "{\"to\":[\"x@y.test\",\"z@y.test\"]}"), 200))
			.isEqualTo(sent);
		assertThat((List<String>) JsonPath.read(sent, "$.data.email.to")).containsExactly("x@y.test", "z@y.test");
		assertThat(Given.rows("select subject || ' ' || html || ' ' || sender from email join email_content "
				+ "on email_id = id where id = '%s'", (String) JsonPath.read(sent, "$.data.email.id")))
			.containsExactly("The subject <p>Hi Ann</p> Ann <ann@" + this.client.domain + ".test>");
		assertThat(Given.rows("select used from quota_use where account_id = '%s' and period = 'day'",
				this.client.person.account()))
			.containsExactly("1");
		refused(this.client.post(path + "/test", "{}"), 400, "Invalid request data");
		refused(this.client.post(path + "/test", "{\"to\":\"nobody\"}"), 400, "Invalid request data");
		Given.run("update quota_use set used = 100 where account_id = '%s'", this.client.person.account());
		refused(this.client.post(path + "/test", "{\"to\":\"a@b.test\"}"), 429, "Daily/monthly limit reached");
	}

	@Test
	void aTestMailToASingleContactHasAWorkingUnsubscribeLink() {
		String path = this.client.campaign("draft");
		this.client.patch(path, "{\"html_content\":\"<a href='{{unsubscribe_url}}'>bye</a>\"}");
		assertThat(sendTest(path, "{\"to\":\"Ann <A@B.test>\"}")).startsWith("true <a href='http://localhost:8080/u/");
		String withSampleLink = "false <a href='https://example.com/unsubscribe'>bye</a>";
		assertThat(sendTest(path, "{\"to\":[\"a@b.test\",\"c@d.test\"]}")).isEqualTo(withSampleLink);
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.client.book);
		assertThat(sendTest(path, "{\"to\":\"a@b.test\"}")).isEqualTo(withSampleLink);
	}

	private String sendTest(String path, String body) {
		String id = JsonPath.read(body(this.client.post(path + "/test", body), 200), "$.data.email.id");
		return Given
			.rows("select (contact_id is not null) || ' ' || html from delivery join email_content using (email_id) "
					+ "where email_id = '%s' limit 1", id)
			.getFirst();
	}

}
