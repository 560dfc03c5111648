package dev.mailroom.api.email;

import dev.mailroom.Given;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.api.Client;
import dev.mailroom.api.WithApi;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.until;

/** Counters of accepted mails and of requests that a quota refuses. */
@WithApi
class SendMetersTest {

	@Autowired
	MeterRegistry meters;

	private final EmailClient client;

	@Autowired
	SendMetersTest(Client http, ApiKeys keys) {
		this.client = new EmailClient(http, keys);
	}

	@Test
	void acceptedMailsAreCountedByTheWayByWhichTheyArrived() {
		double singles = accepted("api");
		double mails = accepted("batch");
		this.client.sent(this.client.mail(""));
		String foreign = this.client.mail("").replace(this.client.name(), "other.test");
		this.client.post("/emails/batch", "[" + this.client.mail("") + "," + foreign + "," + this.client.mail("") + "]")
			.expectStatus()
			.isOk();
		until("the counts", () -> accepted("api") == singles + 1 && accepted("batch") == mails + 2);
	}

	@Test
	void aRequestThatTheQuotaRefusesIsCountedByThePeriodOfTheLimit() {
		double days = refused("day");
		double months = refused("month");
		Given.run("update account set daily_limit = 0 where id = '%s'", this.client.account);
		this.client.post("/emails", this.client.mail("")).expectStatus().isEqualTo(429);
		Given.run("update account set daily_limit = 9, monthly_limit = 1 where id = '%s'", this.client.account);
		this.client.post("/emails/batch", "[" + this.client.mail("") + "," + this.client.mail("") + "]")
			.expectStatus()
			.isEqualTo(429);
		until("the counts", () -> refused("day") == days + 1 && refused("month") == months + 1);
	}

	private double accepted(String channel) {
		return this.meters.counter("mailroom.emails.accepted", "stream", "transactional", "channel", channel).count();
	}

	private double refused(String period) {
		return this.meters.counter("mailroom.quota.refusals", "period", period).count();
	}

}
