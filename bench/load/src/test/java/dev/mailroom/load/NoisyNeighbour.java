package dev.mailroom.load;

import java.time.Duration;
import java.util.List;

import dev.mailroom.load.installation.Deliveries;
import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.status;

/**
 * A tenant with few mails, first alone, then beside another one's batches. The batches
 * may be refused for a time (503), the mails of the quiet tenant may not.
 */
public final class NoisyNeighbour extends LoadSimulation {

	private static final String ALONE = "quiet, alone";

	private static final String BESIDE = "quiet, beside a burst";

	public NoisyNeighbour() {
		Tenant quiet = unlimitedTenant("quiet");
		Tenant noisy = unlimitedTenant("noisy");
		Duration half = this.target.duration(60).dividedBy(2);
		double rate = this.target.rate(10);
		Deliveries alone = new Deliveries(quiet);
		Deliveries beside = new Deliveries(quiet);
		this.ledger.require(() -> alone.within(ALONE, this.target.delivery(5)));
		this.ledger.require(() -> beside.within(BESIDE, this.target.delivery(5)));
		run(List.of(details("burst").failedRequests().count().is(0L), details(ALONE).failedRequests().count().is(0L),
				details(BESIDE).failedRequests().count().is(0L),
				details(BESIDE).responseTime().percentile(95).lt(this.target.p95(1_000))),
				scenario("Quiet, alone").exec(alone.of(this.ledger.send(ALONE, quiet)))
					.injectOpen(constantUsersPerSec(rate).during(half)),
				scenario("Burst").exec(this.ledger.batch("burst", noisy, 100).check(status().in(200, 503)))
					.injectOpen(nothingFor(half), constantUsersPerSec(rate / 2).during(half)),
				scenario("Quiet, beside a burst").exec(beside.of(this.ledger.send(BESIDE, quiet)))
					.injectOpen(nothingFor(half), constantUsersPerSec(rate).during(half)));
	}

}
