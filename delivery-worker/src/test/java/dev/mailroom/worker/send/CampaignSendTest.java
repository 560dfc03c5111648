package dev.mailroom.worker.send;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.CampaignStatus;
import dev.mailroom.campaign.Campaigns;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.received;
import static org.assertj.core.api.Assertions.assertThat;

/** Campaigns from their start to the last mail. */
@SendEnvironment.SendingWorker
class CampaignSendTest {

	@Autowired
	Campaigns campaigns;

	@Autowired
	MeterRegistry meters;

	private final Scope scope = Given.sender("unlimited");

	private final UUID book = UUID.randomUUID();

	@Test
	void aStartedCampaignArrivesAtEverySubscribedContactWithPersonalContent() {
		Given.run("update domain set open_tracking = true, click_tracking = true where id = '%s'", this.scope.domain());
		contact("ann@rendered.test", "Ann", "{\"city\": \"<Graz>\"}", true);
		contact("bob@rendered.test", "", "{}", true);
		contact("eve@rendered.test", "Eve", "{}", false);
		UUID id = start(
				"<p>Hello {{first_name|friend}} of {{city}}</p><a href=\"https://shop.test/\">Shop</a>"
						+ "<a href=\"{{unsubscribe_url}}\">Leave</a>",
				"Hello {{first_name|friend}}, {{unsubscribe_url}}");
		awaitSent(id);
		Map<String, String> mails = contents("@rendered.test");
		assertThat(mails).containsOnlyKeys("ann@rendered.test", "bob@rendered.test");
		assertThat(mails.get("ann@rendered.test"))
			.contains("Hello Ann of &lt;Graz&gt;", "Subject: News for Ann", "/t/c/", "/t/o/",
					"List-Unsubscribe: <http://localhost:8080/u/", "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
			.doesNotContain("shop.test", "{{");
		assertThat(mails.get("bob@rendered.test")).contains("Hello friend of <", "Subject: News for you")
			.doesNotContain("{{");
		Campaign sent = find(id);
		assertThat(List.of(sent.totalContacts(), sent.sentCount(), sent.deliveredCount(), sent.skippedCount()))
			.containsExactly(2L, 2L, 2L, 1L);
		assertThat(Given.rows("select url from tracked_link where account_id = '%s'", this.scope.account()))
			.containsExactly("https://shop.test/");
		assertThat(this.meters.get("mailroom.campaign.fanned.out").counter().count()).isGreaterThanOrEqualTo(2);
		assertThat(List.of("mailroom.compose", "mailroom.dkim.sign"))
			.allSatisfy((meter) -> assertThat(this.meters.get(meter).timer().count()).isGreaterThanOrEqualTo(2));
	}

	@Test
	void aLinkWithAPlaceholderIsTrackedWithTheTargetOfEachContact() {
		Given.run("update domain set click_tracking = true where id = '%s'", this.scope.domain());
		contact("ann@personal.test", "Ann", "{}", true);
		contact("bob@personal.test", "Bob", "{}", true);
		UUID id = start("<a href=\"https://shop.test/?name={{first_name}}\">Shop</a>", null);
		awaitSent(id);
		assertThat(contents("@personal.test").values()).hasSize(2)
			.allSatisfy((content) -> assertThat(content).contains("/t/c/").doesNotContain("shop.test"));
		assertThat(Given.rows("select url from tracked_link where account_id = '%s'", this.scope.account()))
			.containsExactlyInAnyOrder("https://shop.test/?name=Ann", "https://shop.test/?name=Bob");
	}

	private UUID start(String html, @Nullable String text) {
		Campaign.Form form = new Campaign.Form("n", "Ann <a@" + this.scope.domain() + ".test>", List.of(),
				"News for {{first_name|you}}", this.book, null, html, text, null);
		UUID id = Await.await(this.campaigns.create(Scope.of(this.scope.account()), form)).id();
		Await.await(this.campaigns.start(Scope.of(this.scope.account()), id));
		return id;
	}

	private void contact(String address, String firstName, String properties, boolean subscribed) {
		Given.run(
				"insert into contact_book (id, account_id, name, created_at, updated_at) "
						+ "values ('%s', '%s', 'Friends', now(), now()) on conflict do nothing",
				this.book, this.scope.account());
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, first_name, properties, "
						+ "subscribed, created_at, updated_at) values (gen_random_uuid(), '%1$s', '%2$s', '%3$s', "
						+ "'%3$s', '%4$s', '%5$s', %6$s, now(), now())",
				this.scope.account(), this.book, address, firstName, properties, subscribed);
	}

	private void awaitSent(UUID id) {
		SendEnvironment.await("the end of the campaign", () -> find(id).status() == CampaignStatus.SENT);
	}

	private Campaign find(UUID id) {
		return Await.await(this.campaigns.find(Scope.of(this.scope.account()), id));
	}

	/** The mails by recipient, with their lines joined. */
	private static Map<String, String> contents(String suffix) {
		return received(suffix).stream()
			.collect(Collectors.toMap(ScriptedSmtpServer.Mail::rcptTo,
					(mail) -> mail.content().replace("=\r\n", "").replace("=3D", "=")));
	}

}
