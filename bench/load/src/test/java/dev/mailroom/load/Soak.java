package dev.mailroom.load;

import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * A mixture of single mails, batches and lists for a long time. The growth of the heap is
 * printed at the end.
 */
public final class Soak extends LoadSimulation {

	private static final int BATCH = 10;

	private final Metrics metrics = new Metrics(this.target);

	private final long heap = this.metrics.heapMegabytes();

	public Soak() {
		Tenant tenant = unlimitedTenant("soak");
		run(1_000,
				scenario("Soak")
					.exec(randomSwitch().on(percent(80).then(this.ledger.send("send", tenant)),
							percent(5).then(this.ledger.batch("batch of 10", tenant, BATCH)),
							percent(15).then(get("log", tenant, "/api/emails/logs"))))
					.injectOpen(constantUsersPerSec(this.target.rate(20)).during(this.target.duration(600))));
	}

	@Override
	public void after() {
		super.after();
		System.out.printf("Heap of the installation: %d MB before, %d MB after%n", this.heap,
				this.metrics.heapMegabytes());
	}

}
