package dev.mailroom.load;

import java.util.List;
import java.util.Map;

import dev.mailroom.load.installation.Client;
import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

/** People who go through the pages of the web app, with its stored GraphQL documents. */
public final class Pages extends LoadSimulation {

	/** Names in {@code graphql/documents.json} of the admin app. */
	private static final List<String> DOCUMENTS = List.of("Session", "Overview", "Emails", "Templates", "Campaigns",
			"ContactBooks", "Suppressions", "Inbound", "Domains", "ApiKeys", "Webhooks", "Usage");

	public Pages() {
		Tenant tenant = unlimitedTenant("pages");
		this.ledger.prepare(tenant, this.target.rows(500), this.target.settlement());
		run(1_000, scenario("Pages")
			.exec(DOCUMENTS.stream()
				.map((document) -> exec(http(document).post(this.target.admin() + "/graphql")
					.header("Authorization", (_) -> "Bearer " + tenant.token())
					.body(StringBody(Client.json(Map.of("id", document, "variables", Map.of()))))
					.check(jsonPath("$.errors").notExists(), jsonPath("$.data.viewer").exists())).exec(pause(1)))
				.toList())
			.injectOpen(constantUsersPerSec(this.target.rate(2)).during(this.target.duration(30))));
	}

}
