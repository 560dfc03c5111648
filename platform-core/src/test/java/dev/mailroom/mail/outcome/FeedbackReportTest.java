package dev.mailroom.mail.outcome;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Given.rows;
import static org.assertj.core.api.Assertions.assertThat;

@WithCore
class FeedbackReportTest {

	@Autowired
	Outcomes outcomes;

	@Autowired
	ReturnPath returnPath;

	private final Scope scope = Given.sender("unlimited");

	@ParameterizedTest
	@CsvSource({ "pending, hard, bounced", "sent, hard, bounced", "delivered, hard, bounced",
			"delivered, soft, bounced", "sent, complained, complained", "delivered, complained, complained",
			"pending, complained, complained", "sent, delivered, delivered", "pending, delivered, delivered",
			"sent, delayed, sent", "bounced, delivered, bounced", "bounced, complained, bounced",
			"complained, hard, complained", "complained, delivered, complained", "failed, hard, failed",
			"delivered, delayed, delivered", "suppressed, complained, suppressed" })
	void feedbackOnlyAdvancesTheStatus(String status, String kind, String expected) {
		UUID mail = mail(status, "b@c.test");
		report(mail, kind(kind));
		assertThat(rows("select status from delivery where email_id = '%s'", mail)).containsExactly(expected);
		assertThat(rows("select status from email where id = '%s'", mail))
			.containsExactly(expected.equals("suppressed") ? "failed" : expected);
	}

	@Test
	void aBounceIsReportedWithItsCodeAndSuppressesTheAddressIfHard() {
		UUID hard = mail("delivered", "Gone@c.test");
		UUID soft = mail("delivered", "full@c.test");
		report(hard, kind("hard"));
		report(soft, kind("soft"));
		assertThat(rows("select data->'bounce'->>'type' || ' ' || (data->'bounce'->>'code') from event "
				+ "where email_id = '%s'", hard))
			.containsExactly("hard 5.1.1");
		assertThat(rows("select data->'bounce'->>'type' || ' ' || (data->'bounce'->>'diagnostic') from event "
				+ "where email_id = '%s'", soft))
			.containsExactly("soft 552 5.2.2 full");
		assertThat(
				rows("select address || ' ' || reason from suppression where account_id = '%s'", this.scope.account()))
			.containsExactly("gone@c.test hard_bounce");
		assertThat(rows("select last_event from email where id = '%s'", hard)).containsExactly("bounced");
	}

	@Test
	void aComplaintSuppressesTheAddressAndKeepsTheReply() {
		UUID mail = mail("delivered", "b@c.test");
		report(mail, kind("complained"));
		assertThat(rows("select reply from delivery where email_id = '%s'", mail)).containsExactly("250 ok");
		assertThat(rows("select kind || ' ' || (data->'complaint'->>'feedback_type') from event where email_id = '%s'",
				mail))
			.containsExactly("email.complained abuse");
		assertThat(rows("select reason from suppression where account_id = '%s'", this.scope.account()))
			.containsExactly("complaint");
	}

	@Test
	void concurrentAndRepeatedReportsCountOnce() {
		List<UUID> mails = IntStream.range(0, 8).mapToObj((i) -> mail("delivered", "b" + i + "@c.test")).toList();
		List<FeedbackReport> reports = new ArrayList<>(
				mails.stream().map((mail) -> feedback(mail, kind("hard"))).toList());
		List<Long> moved = Await.together(16, (_) -> {
			List<FeedbackReport> shuffled = new ArrayList<>(reports);
			Collections.shuffle(shuffled);
			return this.outcomes.recordFeedback(shuffled);
		});
		assertThat(moved.stream().mapToLong(Long::longValue).sum()).isEqualTo(8);
		assertThat(this.outcomes.recordFeedback(reports)).isZero();
		assertThat(reputation()).containsExactly("0 0 8 0 0");
		assertThat(rows("select count(*) from event where account_id = '%s'", this.scope.account()))
			.containsExactly("8");
		assertThat(rows("select sum(count) from reputation_cause where account_id = '%s'", this.scope.account()))
			.containsExactly("8");
		assertThat(rows("select status || ' ' || sum(count) from email_count where account_id = '%s' "
				+ "group by status having sum(count) <> 0", this.scope.account()))
			.containsExactly("bounced 8");
	}

	@ParameterizedTest
	@CsvSource({ "delivered, hard, 0 0 1 0 0", "sent, hard, 0 0 1 0 0", "delivered, soft, 0 0 0 1 0",
			"sent, delivered, 1 0 0 0 0", "delivered, complained, 1 0 0 0 1", "sent, complained, 1 0 0 0 1",
			"pending, hard, 0 0 1 0 0", "pending, complained, 1 0 0 0 1" })
	void feedbackCorrectsTheDayOnWhichTheMailWasCounted(String status, String kind, String expected) {
		UUID mail = mail(status, "b@c.test");
		Given.run("update delivery set settled_at = settled_at - interval '5 days' where email_id = '%s'", mail);
		Given.run("update reputation_day set day = day - 5 where account_id = '%s'", this.scope.account());
		report(mail, kind(kind));
		assertThat(reputation()).containsExactly(expected);
	}

	@Test
	void aDelayIsReportedOnce() {
		UUID mail = mail("sent", "b@c.test");
		report(mail, kind("delayed"));
		report(mail, kind("delayed"));
		assertThat(rows("select kind from event where email_id = '%s'", mail))
			.containsExactly("email.delivery_delayed");
	}

	@Test
	void theMostSevereOfSeveralReportsIsApplied() {
		UUID mail = mail("sent", "b@c.test");
		assertThat(
				this.outcomes.recordFeedback(List.of(feedback(mail, kind("delivered")), feedback(mail, kind("hard")))))
			.isEqualTo(1);
		assertThat(rows("select status from delivery where email_id = '%s'", mail)).containsExactly("bounced");
	}

	@Test
	void reportsOfUnknownSendersAreCountedApart() {
		for (DeliveryReport kind : List.of(kind("hard"), kind("complained"))) {
			FeedbackReport report = feedback(mail("delivered", "b@c.test"), kind);
			assertThat(this.outcomes
				.recordFeedback(List.of(new FeedbackReport(report.account(), report.delivery(), kind, false))))
				.isEqualTo(1);
			report(mail("delivered", "b@c.test"), kind);
		}
		assertThat(reputation()).containsExactly("2 0 2 0 2");
		assertThat(rows("select unverified_bounced || ' ' || unverified_complained from reputation_day "
				+ "where account_id = '%s'", this.scope.account()))
			.containsExactly("1 1");
	}

	@Test
	void aReportWithAnotherAccountIsIgnored() {
		UUID mail = mail("delivered", "b@c.test");
		FeedbackReport report = feedback(mail, kind("hard"));
		assertThat(this.outcomes
			.recordFeedback(List.of(new FeedbackReport(UUID.randomUUID(), report.delivery(), report.kind())))).isZero();
	}

	@Test
	void aReturnPathIdentifiesItsDeliveryAndForgeriesAreRejected() {
		UUID delivery = UUID.randomUUID();
		String path = this.returnPath.of(this.scope.account(), delivery, "shop.test");
		assertThat(path).isEqualTo(this.returnPath.of(this.scope.account(), delivery, "shop.test"))
			.matches("b\\+[0-9a-v]{61}@bounce\\.shop\\.test");
		assertThat(this.returnPath.read("<" + path.toUpperCase(Locale.ROOT) + ">"))
			.contains(new ReturnPath.Named(this.scope.account(), delivery));
		assertThat(this.returnPath.read(this.returnPath.of(new UUID(0, 0), new UUID(0, 1), "shop.test")))
			.contains(new ReturnPath.Named(new UUID(0, 0), new UUID(0, 1)));
		char other = (path.charAt(20) == 'a') ? 'b' : 'a';
		assertThat(this.returnPath.read(path.substring(0, 20) + other + path.substring(21))).isEmpty();
		for (String garbled : List.of("", "b+@bounce.shop.test", path.replace("b+", "b+0"), path.replace("bounce.", ""),
				"b+" + "v".repeat(61) + "@bounce.shop.test")) {
			assertThat(this.returnPath.read(garbled)).as(garbled).isEmpty();
		}
	}

	private static DeliveryReport kind(String name) {
		return switch (name) {
			case "hard" -> new DeliveryReport.Bounced(Bounce.of("550 5.1.1 no\0such user", Bounce.Command.REPORTED));
			case "soft" -> new DeliveryReport.Bounced(Bounce.of("552 5.2.2 full", Bounce.Command.REPORTED));
			case "complained" -> new DeliveryReport.Complained("abuse");
			case "delayed" -> new DeliveryReport.Delayed("Delayed: 4.4.1");
			default -> new DeliveryReport.Delivered("2.0.0 ok");
		};
	}

	/** A mail with this status, counted in the reputation accordingly. */
	private UUID mail(String status, String recipient) {
		UUID mail = Given.mail(this.scope, recipient);
		if (!status.equals("pending")) {
			Given.run("update delivery set status = '%1$s', reply = '250 ok', settled_at = now() "
					+ "where email_id = '%2$s'; delete from queue where email_id = '%2$s'", status, mail);
			Given.run("update email set status = '%s' where id = '%s'", status.equals("suppressed") ? "failed" : status,
					mail);
		}
		Given.run("insert into reputation_day (account_id, domain_id, day, delivered, sent) values ('%s', '%s', "
				+ "(now() at time zone 'UTC')::date, %d, %d) on conflict (account_id, domain_id, day) do update "
				+ "set delivered = reputation_day.delivered + excluded.delivered", this.scope.account(),
				this.scope.domain(), status.equals("delivered") ? 1 : 0, status.equals("sent") ? 1 : 0);
		return mail;
	}

	private List<String> reputation() {
		return rows(
				"select concat_ws(' ', sum(delivered), sum(sent), sum(hard_bounced), sum(other_bounced), "
						+ "sum(complained)) from reputation_day where account_id = '%s' group by account_id",
				this.scope.account());
	}

	private static FeedbackReport feedback(UUID mail, DeliveryReport kind) {
		return new FeedbackReport(
				UUID.fromString(rows("select account_id from delivery where email_id = '%s'", mail).getFirst()),
				UUID.fromString(rows("select id from delivery where email_id = '%s'", mail).getFirst()), kind);
	}

	private void report(UUID mail, DeliveryReport kind) {
		this.outcomes.recordFeedback(List.of(feedback(mail, kind)));
	}

}
