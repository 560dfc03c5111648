package dev.mailroom.load;

import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * Twice as many mails as a free account may send in a day. Exactly the remaining ones are
 * accepted, every other one is refused with 429.
 */
public final class QuotaEdge extends LoadSimulation {

	public QuotaEdge() {
		Tenant tenant = tenant("quota").on("free");
		long remaining = tenant.client().get("/api/usage").at("/data/usage/daily/remaining").asLong();
		double rate = this.target.rate(50);
		this.ledger.require(() -> (this.ledger.accepted(tenant) == remaining) ? ""
				: "accepted %d of %d mails".formatted(this.ledger.accepted(tenant), remaining));
		run(1_000,
				scenario("Quota")
					.exec(this.ledger.send("send", tenant)
						.check(status().in(200, 429))
						.checkIf((response, _) -> response.status().code() == 429)
						.then(jsonPath("$.error").is("Daily/monthly limit reached")))
					.injectOpen(constantUsersPerSec(rate).during((long) Math.ceil(2 * remaining / rate))));
	}

}
