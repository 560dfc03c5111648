package dev.mailroom.load;

import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/** Batches of 100 mails at a constant rate. */
public final class Batch extends LoadSimulation {

	private static final int MAILS = 100;

	public Batch() {
		Tenant tenant = unlimitedTenant("batch");
		run(2_000,
				scenario("Batch").exec(this.ledger.batch("batch of 100", tenant, MAILS)
					.check(jsonPath("$.data[*].emailId").count().is(MAILS), jsonPath("$.data[*].error").count().is(0)))
					.injectOpen(constantUsersPerSec(this.target.rate(2)).during(this.target.duration(60))));
	}

}
