package dev.mailroom.load;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;

import dev.mailroom.load.installation.Client;
import dev.mailroom.load.installation.Deliveries;
import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * Mails that are all due at the same second, after the load. None is delivered before
 * that, and 95 % soon afterwards.
 */
public final class Scheduled extends LoadSimulation {

	/** Time for the last requests before the mails are due. */
	private static final Duration MARGIN = Duration.ofSeconds(10);

	public Scheduled() {
		Tenant tenant = unlimitedTenant("scheduled");
		Duration duration = this.target.duration(30);
		Instant due = Instant.now().plus(duration).plus(MARGIN).truncatedTo(ChronoUnit.SECONDS);
		Deliveries deliveries = new Deliveries(tenant, due);
		this.ledger.require(() -> deliveries.within("scheduled", this.target.delivery(30)));
		run(1_000,
				scenario("Scheduled")
					.exec(deliveries.of(this.ledger.post("schedule", tenant, "/api/emails", 1,
							(_) -> Client.json(scheduled(tenant.mail(), due)))))
					.injectOpen(constantUsersPerSec(this.target.rate(50)).during(duration)));
	}

	private static Map<String, Object> scheduled(Map<String, Object> mail, Instant due) {
		Map<String, Object> scheduled = new HashMap<>(mail);
		scheduled.put("send_at", due.toString());
		return scheduled;
	}

}
