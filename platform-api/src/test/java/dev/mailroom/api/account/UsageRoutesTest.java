package dev.mailroom.api.account;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.UUID;

import com.jayway.jsonpath.JsonPath;
import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@WithApi
class UsageRoutesTest {

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void aNewAccountHasItsWholePlan() {
		String usage = usage();
		assertThat((String) JsonPath.read(usage, "$.data.usage.plan")).isEqualTo("free");
		assertUsage(usage, "daily", 0, 100, 100);
		assertUsage(usage, "monthly", 0, 3000, 3000);
		assertUsage(usage, "domains", 0, 10, 10);
		assertUsage(usage, "contact_books", 0, 2, 2);
		assertUsage(usage, "contacts", 0, 200, 200);
		LocalDate today = LocalDate.ofInstant(Instant.now(), ZoneOffset.UTC);
		assertThat((String) JsonPath.read(usage, "$.data.usage.monthly.resets_at"))
			.isEqualTo(today.withDayOfMonth(1).plusMonths(1) + "T00:00:00.000Z");
		assertThat((String) JsonPath.read(usage, "$.data.usage.daily.resets_at"))
			.isIn(today.plusDays(1) + "T00:00:00.000Z", today.plusDays(2) + "T00:00:00.000Z");
	}

	@Test
	void onlyTheCurrentPeriodsAreCounted() {
		UUID account = this.person.account();
		Given.domain(account);
		Given.run("insert into contact_book (id, account_id, name, contacts, created_at, updated_at) "
				+ "values ('%s', '%s', 'b', 7, now(), now())", UUID.randomUUID(), account);
		Given.run("insert into quota_use values ('%1$s', 'day', (now() at time zone 'UTC')::date, 120), "
				+ "('%1$s', 'day', (now() at time zone 'UTC')::date - 1, 50), "
				+ "('%1$s', 'month', date_trunc('month', now() at time zone 'UTC')::date, 170)", account);
		String usage = usage();
		assertUsage(usage, "daily", 120, 100, 0);
		assertUsage(usage, "monthly", 170, 3000, 2830);
		assertUsage(usage, "domains", 1, 10, 9);
		assertUsage(usage, "contact_books", 1, 2, 1);
		assertUsage(usage, "contacts", 7, 200, 193);
	}

	@Test
	void aPlanWithoutLimitsHasNullLimits() {
		Given.run("update account set plan = 'unlimited' where id = '%s'", this.person.account());
		String usage = usage();
		assertUsage(usage, "daily", 0, null, null);
		assertUsage(usage, "contacts", 0, null, null);
	}

	private String usage() {
		return String.valueOf(this.client.get(this.person.token(), "/api/usage")
			.expectStatus()
			.isOk()
			.expectBody(String.class)
			.returnResult()
			.getResponseBody());
	}

	private static void assertUsage(String usage, String resource, Object used, Object limit, Object remaining) {
		Map<String, Object> values = JsonPath.read(usage, "$.data.usage." + resource);
		assertThat(values).containsEntry("used", used)
			.containsEntry("limit", limit)
			.containsEntry("remaining", remaining);
	}

}
