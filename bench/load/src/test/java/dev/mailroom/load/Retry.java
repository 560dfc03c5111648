package dev.mailroom.load;

import dev.mailroom.load.installation.Client;
import dev.mailroom.load.installation.Tenant;
import io.gatling.javaapi.core.ChainBuilder;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.percent;
import static io.gatling.javaapi.core.CoreDsl.randomSwitch;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.header;

/**
 * Single mails with an Idempotency-Key, of which one in ten is sent again. The repetition
 * must return the first response, and the ledger counts each mail once.
 */
public final class Retry extends LoadSimulation {

	public Retry() {
		Tenant tenant = unlimitedTenant("retry");
		ChainBuilder first = exec((session) -> session.set("mail", Client.json(tenant.mail()))
			.set("key", tenant.domain() + "-" + session.userId()))
			.exec(this.ledger.post("send", tenant, "/api/emails", 1, (session) -> session.getString("mail"))
				.header("Idempotency-Key", "#{key}")
				.check(jsonPath("$.id").saveAs("id")));
		ChainBuilder repeated = exec(
				this.ledger.post("repeat", tenant, "/api/emails", 1, (session) -> session.getString("mail"))
					.header("Idempotency-Key", "#{key}")
					.check(header("Idempotency-Replayed").is("true"), jsonPath("$.id").isEL("#{id}")));
		run(1_000, scenario("Retry").exec(first, randomSwitch().on(percent(10).then(repeated)))
			.injectOpen(constantUsersPerSec(this.target.rate(50)).during(this.target.duration(60))));
	}

}
