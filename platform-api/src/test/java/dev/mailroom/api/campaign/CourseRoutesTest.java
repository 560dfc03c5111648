package dev.mailroom.api.campaign;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.ApiTest;
import dev.mailroom.api.Person;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static dev.mailroom.api.campaign.Desk.at;
import static dev.mailroom.api.campaign.Desk.body;
import static dev.mailroom.api.campaign.Desk.refused;
import static org.assertj.core.api.Assertions.assertThat;

@ApiTest
class CourseRoutesTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	private Desk desk;

	@BeforeEach
	void connect() {
		this.desk = new Desk(this.port, Person.in(this.context));
	}

	@ParameterizedTest
	@CsvSource({ "start,draft,running,Can only start draft campaigns",
			"pause,running,paused,Can only pause running campaigns",
			"resume,paused,running,Can only resume paused campaigns",
			"unschedule,scheduled,draft,Can only unschedule scheduled campaigns" })
	void anActMovesACampaignFromItsStateAlone(String act, String from, String to, String error) {
		for (String status : List.of("draft", "scheduled", "running", "paused", "sent")) {
			String path = this.desk.campaign(status);
			if (status.equals(from)) {
				String moved = body(this.desk.act(path, act), 200);
				assertThat((String) JsonPath.read(moved, "$.data.campaign.status")).isEqualTo(to);
				assertThat(path).endsWith(JsonPath.read(moved, "$.data.campaign.id"));
			}
			else {
				refused(this.desk.act(path, act), 400, error);
				assertThat((String) JsonPath.read(body(this.desk.get(path), 200), "$.data.campaign.status"))
					.isEqualTo(status);
			}
		}
	}

	@Test
	void aPauseAnswersWithTheIdAndTheStateAlone() {
		String path = this.desk.campaign("running");
		assertThat(body(this.desk.act(path, "pause"), 200)).contains("\"success\":true");
		refused(this.desk.act(path, "pause"), 400, "Can only pause running campaigns");
		path = this.desk.campaign("running");
		assertThat((Map<String, Object>) JsonPath.read(body(this.desk.post(path + "/pause", "{}"), 200),
				"$.data.campaign"))
			.isEqualTo(Map.of("id", path.substring(path.length() - 36), "status", "paused"));
	}

	@Test
	void aPausedAccountStartsAndResumesNothing() {
		String draft = this.desk.campaign("draft");
		String paused = this.desk.campaign("paused");
		Given.run("update account set paused_reason = 'Too many bounces' where id = '%s'", this.desk.person.account());
		refused(this.desk.act(draft, "start"), 403, "Account paused");
		refused(this.desk.act(paused, "resume"), 403, "Account paused");
		assertThat((String) JsonPath.read(body(this.desk.get(draft), 200), "$.data.campaign.status"))
			.isEqualTo("draft");
	}

	@Test
	void onlyDraftsAndPausedCampaignsAreScheduled() {
		for (String status : List.of("draft", "paused")) {
			String path = this.desk.campaign(status);
			refused(this.desk.post(path + "/schedule", "{}"), 400, "Invalid request data");
			refused(this.desk.act(path, "schedule"), 400, "Invalid request data");
			refused(this.desk.post(path + "/schedule", "{\"send_at\":\"2020-01-01T00:00:00Z\"}"), 400,
					"Invalid request data");
			assertThat((String) JsonPath.read(body(this.desk.post(path + "/schedule", at(60)), 200),
					"$.data.campaign.status"))
				.isEqualTo("scheduled");
		}
		for (String status : List.of("scheduled", "running", "sent")) {
			refused(this.desk.post(this.desk.campaign(status) + "/schedule", at(60)), 400,
					"Can only schedule draft or paused campaigns");
		}
	}

	@Test
	void ofManyPausesAtOnceOneWins() {
		String path = this.desk.campaign("running");
		List<Integer> statuses = IntStream.range(0, 32)
			.parallel()
			.mapToObj((_) -> this.desk.act(path, "pause").expectBody().returnResult().getStatus().value())
			.toList();
		assertThat(statuses).containsOnly(200, 400).containsOnlyOnce(200);
	}

	@Test
	void anEmptyBookIsNotStarted() {
		String path = this.desk.campaign("draft");
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.desk.book);
		refused(this.desk.act(path, "start"), 400, "Contact book is empty");
	}

	@Test
	void aKeyMakesEachPostOnce() {
		String body = this.desk.asked("Once", "");
		String first = body(this.desk.keyed("/api/campaigns", body), 201);
		assertThat(body(this.desk.keyed("/api/campaigns", body), 201)).isEqualTo(first);
		assertThat(this.desk.total("/api/campaigns")).isEqualTo(1);
		refused(this.desk.keyed("/api/campaigns", this.desk.asked("Twice", "")), 409, "Idempotency key reused");
		String path = this.desk.campaign("running");
		String paused = body(this.desk.keyed(path + "/pause", "{}"), 200);
		this.desk.keyed(path + "/pause", "{}").expectHeader().valueEquals("Idempotency-Replayed", "true");
		assertThat(body(this.desk.keyed(path + "/pause", "{}"), 200)).isEqualTo(paused);
		body(this.desk.keyed(path + "/resume", "{}"), 200);
		body(this.desk.keyed(path + "/resume", "{}"), 200);
	}

	@Test
	void aCampaignIsTriedOutWithARealMailThatCounts() {
		String path = this.desk.campaign("draft");
		String sent = body(this.desk.keyed(path + "/test", "{\"to\":[\"x@y.test\",\"z@y.test\"]}"), 200);
		assertThat(body(this.desk.keyed(path + "/test", "{\"to\":[\"x@y.test\",\"z@y.test\"]}"), 200)).isEqualTo(sent);
		assertThat((List<String>) JsonPath.read(sent, "$.data.email.to")).containsExactly("x@y.test", "z@y.test");
		assertThat(Given.rows("select subject || ' ' || html || ' ' || sender from email join email_content "
				+ "on email_id = id where id = '%s'", (String) JsonPath.read(sent, "$.data.email.id")))
			.containsExactly("The subject <p>Hi Ann</p> Ann <ann@" + this.desk.domain + ".test>");
		assertThat(Given.rows("select used from quota_use where account_id = '%s' and period = 'day'",
				this.desk.person.account()))
			.containsExactly("1");
		refused(this.desk.post(path + "/test", "{}"), 400, "Invalid request data");
		refused(this.desk.post(path + "/test", "{\"to\":\"nobody\"}"), 400, "Invalid request data");
		Given.run("update quota_use set used = 100 where account_id = '%s'", this.desk.person.account());
		refused(this.desk.post(path + "/test", "{\"to\":\"a@b.test\"}"), 429, "Daily/monthly limit reached");
	}

	@Test
	void whoIsAContactAndTriesACampaignAloneGetsTheirOwnWayOut() {
		String path = this.desk.campaign("draft");
		this.desk.patch(path, "{\"html_content\":\"<a href='{{unsubscribe_url}}'>bye</a>\"}");
		assertThat(tried(path, "{\"to\":\"Ann <A@B.test>\"}")).startsWith("true <a href='http://localhost:8080/u/");
		String both = "false <a href='https://example.com/unsubscribe'>bye</a>";
		assertThat(tried(path, "{\"to\":[\"a@b.test\",\"c@d.test\"]}")).isEqualTo(both);
		Given.run("update contact set subscribed = false where contact_book_id = '%s'", this.desk.book);
		assertThat(tried(path, "{\"to\":\"a@b.test\"}")).isEqualTo(both);
	}

	private String tried(String path, String body) {
		String id = JsonPath.read(body(this.desk.post(path + "/test", body), 200), "$.data.email.id");
		return Given
			.rows("select (contact_id is not null) || ' ' || html from delivery join email_content using (email_id) "
					+ "where email_id = '%s' limit 1", id)
			.getFirst();
	}

}
