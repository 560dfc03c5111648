package dev.mailroom.api.email;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class ReputationRoutesTest {

	private static final String METRICS = "/api/analytics/reputation-metrics";

	private static final String STANDING = "/api/analytics/reputation";

	private static final Map<String, Object> ZEROS = figures(0, 0, 0, 0.0, 0.0);

	@Autowired
	ApplicationContext context;

	@Autowired
	ApiKeys keys;

	@Autowired
	Client client;

	@Autowired
	Person person;

	private UUID domain;

	@BeforeEach
	void signIn() {
		this.domain = Given.domain(this.person.account());
	}

	@Test
	void metricsAreAPlainObjectWithRoundedRates() {
		assertThat(metrics("")).isEqualTo(ZEROS);
		sent(this.domain, 0, 293, 7, 1);
		assertThat(metrics("")).isEqualTo(figures(293, 7, 1, 2.33, 0.341));
	}

	@Test
	void metricsAreFilteredByDomainAndPeriod() {
		UUID other = Given.domain(this.person.account());
		sent(this.domain, 0, 9, 1, 0);
		sent(other, 0, 1, 0, 0);
		sent(other, 40, 2, 2, 2);
		assertThat(metrics("?domainId=" + this.domain)).isEqualTo(figures(9, 1, 0, 10.0, 0.0));
		assertThat(metrics("?domain_id=" + this.domain)).isEqualTo(figures(9, 1, 0, 10.0, 0.0));
		assertThat(metrics("?domainId=" + UUID.randomUUID())).isEqualTo(ZEROS);
		assertThat(metrics("")).isEqualTo(figures(12, 3, 2, 20.0, 16.667));
		String tenDaysAgo = Given.rows("select (now() at time zone 'UTC')::date - 10").getFirst();
		assertThat(metrics("?from=" + tenDaysAgo)).isEqualTo(figures(10, 1, 0, 9.09, 0.0));
		assertThat(metrics("?to=" + tenDaysAgo + "T12:00:00Z")).isEqualTo(figures(2, 2, 2, 50.0, 100.0));
		assertThat(metrics("?from=2020-01-01&to=2020-02-01")).isEqualTo(ZEROS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "from=yesterday", "to=2026-13-01", "from=", "from=2026-11-21T10:00:00",
			"from=2026-11-21&to=2026-11-20" })
	void anInvalidPeriodIsRefused(String query) {
		for (String path : List.of(METRICS, STANDING)) {
			this.client.get(this.person.token(), path + "?" + query)
				.expectStatus()
				.isBadRequest()
				.expectBody()
				.jsonPath("$.error")
				.isEqualTo("Invalid request data");
		}
	}

	@Test
	void anApiKeySeesItsOwnDomainOnly() {
		UUID other = Given.domain(this.person.account());
		sent(this.domain, 0, 9, 1, 0);
		sent(other, 0, 100, 0, 5);
		for (String permission : List.of("analytics.read", "send")) {
			String key = key(permission);
			assertThat(read(this.client.get(key, METRICS))).isEqualTo(figures(9, 1, 0, 10.0, 0.0));
			assertThat(read(this.client.get(key, METRICS + "?domainId=" + other))).isEqualTo(ZEROS);
			this.client.get(key, STANDING).expectBody().jsonPath("$.data.reputation.complained").isEqualTo(0);
		}
		this.client.get(key("inbound.read"), METRICS).expectStatus().isForbidden();
		assertThat(read(this.client.get(Person.in(this.context).token(), METRICS + "?domainId=" + other)))
			.isEqualTo(ZEROS);
	}

	@Test
	void theReportHasStandingsLimitsCausesAndAdvice() {
		sent(this.domain, 0, 970, 30, 0);
		sent(this.domain, 90, 0, 500, 0);
		Given.run(
				"insert into reputation_cause values ('%1$s', '%2$s', (now() at time zone 'UTC')::date, '5.1.1', 20), "
						+ "('%1$s', '%2$s', (now() at time zone 'UTC')::date, 'other', 10)",
				this.person.account(), this.domain);
		this.client.get(this.person.token(), STANDING)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.success")
			.isEqualTo(true)
			.jsonPath("$.data.reputation.standing")
			.isEqualTo("warning")
			.jsonPath("$.data.reputation.sample_size")
			.isEqualTo(1000)
			.jsonPath("$.data.reputation.bounce.rate")
			.isEqualTo(3.0)
			.jsonPath("$.data.reputation.bounce.healthy_below")
			.isEqualTo(2.0)
			.jsonPath("$.data.reputation.complaint.standing")
			.isEqualTo("healthy")
			.jsonPath("$.data.reputation.complaint.risky_above")
			.isEqualTo(0.1)
			.jsonPath("$.data.reputation.top_causes[0].cause")
			.isEqualTo("5.1.1")
			.jsonPath("$.data.reputation.top_causes[0].meaning")
			.isEqualTo("The address does not exist")
			.jsonPath("$.data.reputation.advice[0]")
			.isNotEmpty();
	}

	@Test
	void theReportHasTheReasonOfAPause() {
		assertThat(pausedReason()).isNull();
		Given.run("update account set paused_reason = 'too many came back' where id = '%s'", this.person.account());
		assertThat(pausedReason()).isEqualTo("too many came back");
	}

	private @Nullable Object pausedReason() {
		Map<String, Object> reputation = JsonPath.read(this.client.get(this.person.token(), STANDING)
			.returnResult(String.class)
			.getResponseBody()
			.blockFirst(), "$.data.reputation");
		return reputation.get("paused_reason");
	}

	private Map<String, Object> metrics(String query) {
		return read(this.client.get(this.person.token(), METRICS + query));
	}

	private static Map<String, Object> read(WebTestClient.ResponseSpec answer) {
		return JsonPath.read(
				String.valueOf(answer.expectStatus().isOk().expectBody(String.class).returnResult().getResponseBody()),
				"$");
	}

	private static Map<String, Object> figures(int delivered, int hardBounced, int complained, double bounceRate,
			double complaintRate) {
		return Map.of("delivered", delivered, "hardBounced", hardBounced, "complained", complained, "bounceRate",
				bounceRate, "complaintRate", complaintRate);
	}

	private void sent(UUID domain, int daysAgo, int delivered, int hardBounced, int complained) {
		Given.run(
				"insert into reputation_day values ('%s', '%s', (now() at time zone 'UTC')::date - %d, %d, 0, %d, %d)",
				this.person.account(), domain, daysAgo, delivered, hardBounced, complained);
	}

	private String key(String permission) {
		return this.keys
			.create(Scope.of(this.person.account()), this.domain, UUID.randomUUID().toString(), List.of(permission))
			.blockOptional(Duration.ofSeconds(30))
			.orElseThrow()
			.text();
	}

}
