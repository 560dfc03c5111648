package dev.mailroom.load;

import java.time.Duration;

import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.incrementUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * Single mails at a rate that rises in ten steps, however long the responses take. Raise
 * the rate until an assertion fails: the step before is what the installation sustains.
 */
public final class Send extends LoadSimulation {

	private static final int STEPS = 10;

	public Send() {
		Tenant tenant = unlimitedTenant("send");
		double step = this.target.rate(200) / STEPS;
		// A level shorter than a second has no users.
		Duration each = Duration.ofSeconds(Math.max(1, this.target.duration(60).toSeconds() / STEPS));
		run(1_000, scenario("Send").exec(this.ledger.send("send", tenant))
			.injectOpen(incrementUsersPerSec(step).times(STEPS).eachLevelLasting(each).startingFrom(step)));
	}

}
