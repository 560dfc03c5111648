package dev.mailroom.upkeep;

import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import dev.mailroom.account.NoticeChoices;
import dev.mailroom.account.NoticeKind;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class EventNoticesTest {

	@Autowired
	EventNotices notices;

	@Autowired
	NoticeChoices choices;

	private final UUID account = Given.account("free");

	private final Scope owner = Scope.of(this.account);

	private final UUID developer = member("developer");

	private final UUID viewer = member("viewer");

	@Test
	void membersAreToldOfAQuotaOnceByTheirRoleInTheZoneOfTheAccount() {
		Given.run("update account set time_zone = 'Europe/Berlin' where id = '%s'", this.account);
		event("quota.warning", """
				{"period": "daily", "used": 80, "limit": 100, "resets_at": "2026-12-01T00:00:00Z"}""");
		Await.together(2, (_) -> this.notices.send());
		this.notices.send();
		assertThat(subjects(this.account)).containsExactly("80 % of the emails of this day are used");
		assertThat(subjects(this.developer)).isEmpty();
		assertThat(text(this.account)).contains("80 of 100 emails of this day (UTC) are used",
				"until 1 December 2026, 01:00 CET", "http://localhost:8081/usage",
				"http://localhost:8081/settings/notifications");
	}

	@Test
	void membersAreToldOfWhatTheyChoose() {
		assertThat(await(this.choices.of(this.owner))).contains(NoticeKind.QUOTA_REACHED)
			.doesNotContain(NoticeKind.CAMPAIGN_SENT);
		assertThat(await(this.choices.of(this.owner.by(this.viewer)))).isEmpty();
		await(this.choices.choose(this.owner, Set.of()));
		await(this.choices.choose(this.owner.by(this.viewer), Set.of(NoticeKind.CAMPAIGN_SENT)));
		assertThat(await(this.choices.of(this.owner.by(this.viewer)))).containsExactly(NoticeKind.CAMPAIGN_SENT);
		event("quota.reached", """
				{"period": "monthly", "used": 9, "limit": 9, "resets_at": "2026-12-01T00:00:00Z"}""");
		event("campaign.sent",
				"""
						{"id": "01983ad0-11be-7d02-9a53-2f7bc0c2ee41", "name": "News", "sent_count": 8, "total_contacts": 9}""");
		this.notices.send();
		assertThat(subjects(this.account)).isEmpty();
		assertThat(subjects(this.viewer)).containsExactly("Campaign “News” was sent");
		assertThat(text(this.viewer)).contains("sent to 8 of 9 people", "/campaigns/01983ad0");
	}

	@Test
	void developersAreToldOfKeysThatExpireAndOwnersOfTrackingDomainsThatFail() {
		for (String days : List.of("7", "1", "3")) {
			Given.run(
					"insert into api_key (id, account_id, name, prefix, secret_hash, permissions, created_at, expires_at) "
							+ "values (gen_random_uuid(), '%s', 'k%s', '%2$s%1$s', 'x', '{send}', now(), "
							+ "now() + interval '%2$s days' - interval '1 hour')",
					this.account, days);
		}
		event("tracking_domain.failed",
				"""
						{"id": "1", "name": "links.x.test", "domain_id": "2", "error": "It leads elsewhere", "failing_since": "3"}""");
		this.notices.send();
		this.notices.send();
		assertThat(subjects(this.developer)).containsExactlyInAnyOrder("API key k1 expires soon",
				"API key k7 expires soon");
		assertThat(subjects(this.account)).containsExactlyInAnyOrder("API key k1 expires soon",
				"API key k7 expires soon", "Tracking domain links.x.test no longer works");
		assertThat(subjects(this.viewer)).isEmpty();
	}

	private void event(String kind, String data) {
		Given.run(
				"insert into event (id, account_id, kind, data, created_at) values (uuidv7(), '%s', '%s', '%s', now())",
				this.account, kind, data);
	}

	private UUID member(String role) {
		UUID person = Given.account("free");
		Given.run("update account set role = 'member' where id = '%1$s'; update member set account_id = '%2$s', "
				+ "role = '%3$s' where person_id = '%1$s'", person, this.account, role);
		return person;
	}

	private static List<String> subjects(UUID person) {
		return Given.rows("select subject from email where to_emails = '{%s@owner.test}' order by subject", person);
	}

	private static String text(UUID person) {
		return Given.rows(
				"select text from email_content join email on email.id = email_id where to_emails = '{%s@owner.test}'",
				person)
			.getFirst();
	}

}
