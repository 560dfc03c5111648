package dev.mailroom.admin.operator;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import dev.mailroom.Given;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Held destinations and the pause of the queue. */
@WithAdmin
class StopsTest {

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	Person operator;

	GraphQl client;

	@BeforeEach
	void people() {
		this.operator = Person.operator(this.context);
		this.client = GraphQl.at(this.port).as(this.operator);
	}

	@Test
	void aDestinationIsHeldShownAndReleasedWithAuditRows() {
		String domain = this.operator.account() + ".test";
		String input = "destination: \"" + domain.toUpperCase(Locale.ROOT) + "\", reason: \"their outage\"";
		assertThat(this.client
			.change("operatorHoldDestination", "(input: { " + input + " })",
					"held { destination reason heldByEmail until }")
			.path("held")
			.toString())
			.isEqualTo("{\"destination\":\"" + domain + "\",\"reason\":\"their outage\",\"heldByEmail\":\""
					+ this.operator.email() + "\",\"until\":null}");
		this.client.change("operatorHoldDestination", "(input: { " + input + ", until: \"2999-01-01T00:00:00Z\" })",
				"held { until }");
		JsonNode shown = destination(domain);
		assertThat(shown.path("held").path("until").asString()).startsWith("2999-01-01T00:00:00");
		assertThat(shown.path("circuit").asString()).isEqualTo("CLOSED");
		this.client.change("operatorReleaseDestination", "(destination: \"" + domain + "\")", "released");
		assertThat(this.client.userError("operatorReleaseDestination", "(destination: \"" + domain + "\")"))
			.isEqualTo("not_found");
		assertThat(Given.rows("select act || ' ' || target || ' ' || coalesce(reason, 'none') from audit "
				+ "where actor_id = '%s' order by id", this.operator.account()))
			.containsExactly("destination.held " + domain + " their outage",
					"destination.held " + domain + " their outage", "destination.released " + domain + " none");
	}

	@Test
	void aHoldWithoutAReasonADomainOrAFutureIsRefusedAndChangesNothing() {
		for (String input : List.of("destination: \"a.test\", reason: \" \"",
				"destination: \"no domain\", reason: \"x\"",
				"destination: \"a.test\", reason: \"x\", until: \"2020-01-01T00:00:00Z\"")) {
			assertThat(this.client.userError("operatorHoldDestination", "(input: { " + input + " })"))
				.isEqualTo("invalid_request_data");
		}
		assertThat(Given.rows("select act from audit where actor_id = '%s'", this.operator.account())).isEmpty();
	}

	@Test
	void reportsOfWorkersAreAddedUpByDestination() {
		String domain = "r" + this.operator.account() + ".test";
		for (String circuit : List.of("closed", "half_open")) {
			Given.run(
					"insert into destination_report values (gen_random_uuid(), 'mx', '%s', 2, 5, '%s', null, 30, 1, 4, 0, "
							+ "0, 0, now())",
					domain, circuit);
		}
		JsonNode shown = destination(domain);
		assertThat(shown.path("connections").asInt()).isEqualTo(4);
		assertThat(shown.path("connectionLimit").asInt()).isEqualTo(10);
		assertThat(shown.path("rate").asInt()).isEqualTo(60);
		assertThat(shown.path("circuit").asString()).isEqualTo("HALF_OPEN");
		assertThat(shown.path("deferrals").toString())
			.isEqualTo("[{\"cause\":\"BUSY\",\"count\":8},{\"cause\":\"UNREACHED\",\"count\":2}]");
		assertThat(shown.path("held").isNull()).isTrue();
	}

	@Test
	void theQueueIsPausedAndResumedWithAuditRows() {
		Given.run("delete from queue_pause");
		assertThat(this.client.userError("operatorPauseQueue", "(reason: \"\")")).isEqualTo("invalid_request_data");
		assertThat(this.client.change("operatorPauseQueue", "(reason: \"relay moves\")", "paused")
			.path("paused")
			.asBoolean()).isTrue();
		this.client.change("operatorPauseQueue", "(reason: \"again\")", "paused");
		JsonNode operator = this.client.data(
				"{ operator { platform { queuePausedAt queuePausedReason queuePausedBy } healthChecks { name result } } }")
			.path("operator");
		assertThat(operator.path("platform").path("queuePausedReason").asString()).isEqualTo("relay moves");
		assertThat(operator.path("platform").path("queuePausedBy").asString())
			.isEqualTo(this.operator.account().toString());
		assertThat(operator.path("healthChecks").toString()).contains("{\"name\":\"queue\",\"result\":\"WARNING\"}");
		assertThat(this.client.change("operatorResumeQueue", "", "paused").path("paused").asBoolean()).isFalse();
		this.client.change("operatorResumeQueue", "", "paused");
		assertThat(this.client.data("{ operator { platform { queuePausedAt } } }").toString()).contains("null");
		assertThat(
				Given.rows("select act || ' ' || coalesce(reason, 'none') from audit where actor_id = '%s' order by id",
						this.operator.account()))
			.containsExactly("queue.paused relay moves", "queue.resumed none");
	}

	@Test
	void aStreamIsPausedAndResumedWithoutTheOther() {
		Given.run("delete from queue_pause");
		this.client.change("operatorPauseQueue", "(reason: \"list bought\", stream: CAMPAIGN)", "paused");
		this.client.change("operatorPauseQueue", "(reason: \"again\", stream: CAMPAIGN)", "paused");
		String pauses = "{ operator { platform { queuePausedAt pausedStreams { stream reason pausedBy } } healthChecks { name finding } } }";
		JsonNode operator = this.client.data(pauses).path("operator");
		assertThat(operator.path("platform").toString())
			.isEqualTo("{\"queuePausedAt\":null,\"pausedStreams\":[{\"stream\":\"CAMPAIGN\",\"reason\":\"list bought\","
					+ "\"pausedBy\":\"" + this.operator.account() + "\"}]}");
		assertThat(operator.path("healthChecks").toString()).contains("An operator paused the mail of campaigns.");
		this.client.change("operatorPauseQueue", "(reason: \"relay moves\")", "paused");
		assertThat(this.client.data(pauses).findPath("queuePausedAt").isNull()).isFalse();
		this.client.change("operatorResumeQueue", "(stream: CAMPAIGN)", "paused");
		assertThat(this.client.data(pauses).findPath("pausedStreams").toString())
			.contains("TRANSACTIONAL", "relay moves")
			.doesNotContain("CAMPAIGN");
		this.client.change("operatorResumeQueue", "", "paused");
		assertThat(this.client.data(pauses).findPath("pausedStreams").size()).isZero();
		assertThat(Given.rows("select act || ' ' || target || ' ' || coalesce(reason, 'none') from audit "
				+ "where actor_id = '%s' order by id", this.operator.account()))
			.containsExactly("queue.paused campaign list bought", "queue.paused  relay moves",
					"queue.resumed campaign none", "queue.resumed  none");
	}

	@Test
	void countsOfThePlatformAreShownByIntervalWithEmptyOnes() {
		Given.run("insert into traffic values ('hour', date_trunc('hour', now() at time zone 'UTC') at time zone 'UTC' "
				+ "- interval '3 hours', 7, 5, 1, 0, 2, 900, 3, 40, 4) on conflict (period, at) do update set accepted = 7, "
				+ "delivered = 5, bounced = 1, failed = 0, deferred = 2, requests = 900, errors = 3, sends = 40, late_sends = 4");
		JsonNode points = this.client.data(
				"{ operator { traffic(last: 5) { at accepted delivered bounced failed deferred requests errors sends lateSends } } }")
			.path("operator")
			.path("traffic");
		assertThat(points.size()).isEqualTo(5);
		assertThat(points.valueStream()
			.filter((point) -> point.path("accepted").asInt() == 7)
			.findFirst()
			.orElseThrow()
			.toString())
			.contains("\"accepted\":7,\"delivered\":5,\"bounced\":1,\"failed\":0,\"deferred\":2,"
					+ "\"requests\":900,\"errors\":3,\"sends\":40,\"lateSends\":4");
		assertThat(this.client.error("{ operator { traffic(interval: MINUTE, last: 401) { at } } }")
			.path("name")
			.asString()).isEqualTo("invalid_request_data");
	}

	private JsonNode destination(String domain) {
		return this.client.data(
				"{ operator { destinations { domain connections connectionLimit rate circuit closedUntil deferrals { cause count } held { reason until } } } }",
				Map.of())
			.path("operator")
			.path("destinations")
			.valueStream()
			.filter((destination) -> destination.path("domain").asString().equals(domain))
			.findFirst()
			.orElseThrow();
	}

}
