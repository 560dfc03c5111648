package dev.mailroom.worker.feedback;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.outcome.ReturnPath;
import dev.mailroom.worker.Surroundings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

@Surroundings.WorkerAlone
class TracedTest {

	private static final String FBL = "fbl@mailroom.localhost";

	@Autowired
	Feedback feedback;

	@Autowired
	ReturnPath returnPath;

	private final Scope sender = Given.sender("free");

	@Test
	void aComplaintWithoutTheReturnPathIsHeardOfTheReaderItNamesAndCountedOnce() {
		UUID mail = delivered("Ann@example.net");
		for (int i = 0; i < 3; i++) {
			assertThat(complained(mail, "<" + "ann@Example.net".toUpperCase(Locale.ROOT) + ">")).isTrue();
		}
		assertThat(statuses(mail)).containsExactly("complained");
		assertThat(suppressed()).containsExactly("ann@example.net");
		assertThat(
				Given.rows("select sum(complained) from reputation_day where account_id = '%s'", this.sender.account()))
			.containsExactly("1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "redacted", "<redacted@>", "", "Gj6eT7A=@example.net", "rfc822;ann@example.net" })
	void aReaderWhoWasMadeUnknownIsTheOnlyOneWhoGotIt(String reader) {
		UUID mail = delivered("ann@example.net");
		assertThat(complained(mail, reader)).isTrue();
		assertThat(statuses(mail)).containsExactly("complained");
	}

	@Test
	void nobodyIsTakenForAnotherAndNobodyMakesAMailUp() {
		UUID mail = delivered("ann@example.net", "bob@example.net");
		assertThat(complained(mail, "redacted")).isFalse();
		assertThat(complained(mail, "Gj6eT7A=@example.net")).isFalse();
		assertThat(complained(mail, "eve@example.net")).isFalse();
		assertThat(complained(mail, "bob@example.net")).as("Ann may say so of Bob, who does not know").isFalse();
		assertThat(complained(UUID.randomUUID(), "ann@example.net")).isFalse();
		UUID list = delivered("list@lists.example");
		assertThat(complained(list, "eve@example.net")).isFalse();
		assertThat(statuses(mail)).containsExactly("delivered", "delivered");
		assertThat(statuses(list)).containsExactly("delivered");
		assertThat(suppressed()).isEmpty();
	}

	@Test
	void aBounceThatCameByAnotherWayIsNobodys() {
		UUID mail = delivered("gone@example.net");
		String bounce = sample("postfix-unknown").replace("Subject: Out of office hours",
				"Message-ID: <" + mail + "@shop.test>\nSubject: Out of office hours");
		assertThat(taken(bounce)).isFalse();
		assertThat(statuses(mail)).containsExactly("delivered");
		assertThat(suppressed()).isEmpty();
	}

	@Test
	void whomAMailWasPassedOnToMayBeGoneWithoutHarmToTheOneWhoPassedItOn() {
		for (String to : List.of("ann@uni.test", "alias@example.net")) {
			UUID mail = delivered(to);
			UUID delivery = UUID
				.fromString(Given.rows("select id::text from delivery where email_id = '%s'", mail).getFirst());
			String path = this.returnPath.of(this.sender.account(), delivery, "shop.test");
			this.feedback.take(path, ReportReadingTest.sample("postfix-unknown")).block(Duration.ofSeconds(30));
			assertThat(statuses(mail)).containsExactly("bounced");
		}
		assertThat(suppressed()).containsExactly("alias@example.net");
	}

	private boolean complained(UUID mail, String reader) {
		return taken(sample("arf-stripped").replace("%ID%", mail.toString()).replace("%READER%", reader));
	}

	private boolean taken(String report) {
		return this.feedback.take(FBL, report.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8))
			.blockOptional(Duration.ofSeconds(30))
			.orElseThrow() == FeedbackKind.NEWS;
	}

	private static String sample(String name) {
		return new String(ReportReadingTest.sample(name), StandardCharsets.UTF_8);
	}

	private UUID delivered(String... recipients) {
		UUID mail = Given.mail(this.sender, recipients);
		Given.run("update delivery set phase = 'done', status = 'delivered', settled_at = now() where email_id = '%s'",
				mail);
		return mail;
	}

	private static List<String> statuses(UUID mail) {
		return Given.rows("select status from delivery where email_id = '%s' order by position", mail);
	}

	private List<String> suppressed() {
		return Given.rows("select address from suppression where account_id = '%s'", this.sender.account());
	}

}
