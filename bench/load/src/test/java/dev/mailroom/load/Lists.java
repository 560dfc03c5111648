package dev.mailroom.load;

import java.util.List;

import dev.mailroom.load.installation.Tenant;
import io.gatling.javaapi.core.ChainBuilder;

import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * First, middle and last page of the log of mails and of a contact book, which have a
 * number of rows each, with filters, a search, and the exact totals.
 */
public final class Lists extends LoadSimulation {

	private static final int PAGE = 50;

	public Lists() {
		Tenant tenant = unlimitedTenant("lists");
		int rows = this.target.rows(2_000);
		this.ledger.prepare(tenant, rows, this.target.settlement());
		String contacts = "/api/contact-books/" + tenant.contactBook(rows) + "/contacts";
		int last = rows / PAGE;
		ChainBuilder logs = pages("log", tenant, "/api/emails/logs", rows, last);
		ChainBuilder books = pages("contacts", tenant, contacts, rows, last);
		run(1_000,
				scenario("Lists").exec(logs, books)
					.exec(get("log, delivered", tenant, "/api/emails/logs?status=delivered"),
							get("log, bounced", tenant, "/api/emails/logs?status=bounced"),
							get("contacts, search", tenant, contacts + "?search=contact%201")
								.check(jsonPath("$.data.pagination.total").ofInt().gt(0)))
					.injectOpen(constantUsersPerSec(this.target.rate(5)).during(this.target.duration(30))));
	}

	private static ChainBuilder pages(String name, Tenant tenant, String path, int rows, int last) {
		return exec(List.of("first", "middle", "last").stream().map((place) -> {
			int page = switch (place) {
				case "first" -> 1;
				case "middle" -> Math.max(1, last / 2);
				default -> last;
			};
			return exec(get(name + ", " + place + " page", tenant, path + "?limit=" + PAGE + "&page=" + page)
				.check(jsonPath("$.data.pagination.total").ofInt().is(rows)));
		}).toList());
	}

}
