package dev.mailroom.load;

import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mailroom.load.installation.Tenant;

import static io.gatling.javaapi.core.CoreDsl.asLongAsDuring;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.scenario;

/**
 * A campaign to all contacts of a book, whose progress is watched, beside single mails of
 * the same tenant. Every contact gets one mail.
 */
public final class Campaign extends LoadSimulation {

	public Campaign() {
		Tenant tenant = unlimitedTenant("campaign");
		int contacts = this.target.rows(2_000);
		String campaign = "/api/campaigns/" + draft(tenant, tenant.contactBook(contacts));
		this.ledger.expect(tenant, contacts);
		this.ledger.require(() -> {
			JsonNode now = tenant.client().get(campaign).at("/data/campaign");
			return (now.at("/status").asText().equals("sent") && now.at("/total_contacts").asInt() == contacts
					&& now.at("/delivered_count").asInt() + now.at("/bounced_count").asInt()
							+ now.at("/failed_count").asInt() == contacts) ? ""
									: "the campaign is not complete: " + now;
		});
		run(1_000, scenario("Owner").exec(post("start", tenant, campaign + "/start"))
			.exec(asLongAsDuring((session) -> !"sent".equals(session.getString("status")), this.target.settlement()).on(
					pause(1),
					get("progress", tenant, campaign).check(jsonPath("$.data.campaign.status").saveAs("status"))))
			.injectOpen(atOnceUsers(1)),
				scenario("Single mails").exec(this.ledger.send("send", tenant))
					.injectOpen(constantUsersPerSec(this.target.rate(5)).during(this.target.duration(30))));
	}

	private static String draft(Tenant tenant, String book) {
		return tenant.client()
			.post("/api/campaigns",
					Map.of("name", "Load", "from", "Load <load@" + tenant.domain() + ">", "subject",
							"News for {{first_name|you}}", "contact_book_id", book, "html_content",
							"<p>Hello {{first_name}}</p><p><a href=\"{{unsubscribe_url}}\">Unsubscribe</a></p>"))
			.at("/data/campaign/id")
			.asText();
	}

}
