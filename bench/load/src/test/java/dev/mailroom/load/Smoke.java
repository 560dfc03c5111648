package dev.mailroom.load;

import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/** Few mails, singly and in batches, and the pages that show them. */
public final class Smoke extends LoadSimulation {

	private static final int BATCH = 5;

	public Smoke() {
		Tenant tenant = tenant("smoke");
		run(2_000,
				scenario("Smoke")
					.exec(this.ledger.send("send", tenant), this.ledger.batch("batch", tenant, BATCH),
							get("log", tenant, "/api/emails/logs")
								.check(jsonPath("$.data.pagination.total").ofInt().gt(0)),
							get("usage", tenant, "/api/usage"))
					.injectOpen(constantUsersPerSec(this.target.rate(2)).during(this.target.duration(5))));
	}

}
