package dev.mailroom.load;

import java.time.Duration;

import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * Single mails at a constant rate that becomes ten times as high for a sixth of the time.
 */
public final class Spike extends LoadSimulation {

	private static final int HEIGHT = 10;

	public Spike() {
		Tenant tenant = unlimitedTenant("spike");
		double rate = this.target.rate(20);
		Duration sixth = this.target.duration(60).dividedBy(6);
		run(2_000,
				scenario("Spike").exec(this.ledger.send("send", tenant))
					.injectOpen(constantUsersPerSec(rate).during(sixth.multipliedBy(2)),
							constantUsersPerSec(rate * HEIGHT).during(sixth),
							constantUsersPerSec(rate).during(sixth.multipliedBy(3))));
	}

}
