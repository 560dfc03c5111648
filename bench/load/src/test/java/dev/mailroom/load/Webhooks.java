package dev.mailroom.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * Single mails whose deliveries are reported to four webhook endpoints, two of which
 * answer slowly. The quick ones get every event in time. Needs a standalone on this
 * machine, since only that one calls loopback addresses.
 */
public final class Webhooks extends LoadSimulation {

	private static final Duration SLOW = Duration.ofSeconds(5);

	private final List<Receiver> quick;

	private final List<Receiver> slow;

	public Webhooks() {
		Tenant tenant = unlimitedTenant("webhooks");
		this.quick = Stream.generate(() -> new Receiver(tenant, Duration.ZERO)).limit(2).toList();
		this.slow = Stream.generate(() -> new Receiver(tenant, SLOW)).limit(2).toList();
		for (Receiver receiver : this.quick) {
			this.ledger.require(() -> receiver.received(this.ledger.accepted(tenant), this.target.delivery(10)));
		}
		run(1_000, scenario("Webhooks").exec(this.ledger.send("send", tenant))
			.injectOpen(constantUsersPerSec(this.target.rate(20)).during(this.target.duration(30))));
	}

	@Override
	public void after() {
		super.after();
		Stream.concat(this.quick.stream(), this.slow.stream()).forEach(Receiver::stop);
	}

}
