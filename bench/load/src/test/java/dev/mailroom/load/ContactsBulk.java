package dev.mailroom.load;

import java.util.concurrent.atomic.LongAdder;

import dev.mailroom.load.installation.Client;
import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/** A thousand contacts in each request, all into one book. */
public final class ContactsBulk extends LoadSimulation {

	private static final int CONTACTS = 1_000;

	public ContactsBulk() {
		Tenant tenant = unlimitedTenant("contacts");
		String contacts = "/api/contact-books/" + tenant.contactBook(0) + "/contacts";
		LongAdder added = new LongAdder();
		this.ledger.require(() -> {
			long total = tenant.client().get(contacts + "?limit=1").at("/data/pagination/total").asLong();
			return (total == added.sum()) ? "" : "added %d contacts, the book has %d".formatted(added.sum(), total);
		});
		run(3_000,
				scenario("Contacts")
					.exec(post("bulk of 1000", tenant, contacts + "/bulk")
						.body(StringBody((_) -> Client.json(tenant.contacts(CONTACTS))))
						.check(jsonPath("$.data.count").ofInt().is(CONTACTS).saveAs("count")))
					.exec((session) -> {
						added.add(session.contains("count") ? session.getInt("count") : 0);
						return session;
					})
					.injectOpen(constantUsersPerSec(this.target.rate(2)).during(this.target.duration(30))));
	}

}
