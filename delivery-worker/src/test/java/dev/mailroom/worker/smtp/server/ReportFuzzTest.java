package dev.mailroom.worker.smtp.server;

import java.util.List;
import java.util.Optional;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import dev.mailroom.mail.outcome.DeliveryReport;
import dev.mailroom.worker.smtp.server.ReturnedMail.ReportFields;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of delivery status notifications (RFC 3464) and complaints (RFC 5965). */
class ReportFuzzTest {

	private static final int MAX_LENGTH = 1100;

	@FuzzTest(maxDuration = "10m")
	void reports(byte[] input) {
		check(input);
	}

	@Test
	void mutatedReports() {
		Mutations.check(getClass(), "reports", 300, ReportFuzzTest::check);
	}

	private static void check(byte[] input) {
		ReturnedMail mail = ReturnedMail.read(input);
		List<ReportFields> groups = mail.status();
		assertThat(groups).hasSizeLessThanOrEqualTo(51);
		groups.forEach(ReportFuzzTest::checkFields);
		checkFields(mail.feedback());
		checkFields(mail.original());
		mail.messageId();
		mail.mayConcern("ada@example.com");
		Optional<DeliveryReport> kind = ReportReading.of(mail);
		kind.ifPresent((found) -> assertThat(text(found)).hasSizeLessThanOrEqualTo(MAX_LENGTH));
		assertThat(ReportReading.of(ReturnedMail.read(input))).as("read again").isEqualTo(kind);
	}

	private static void checkFields(ReportFields fields) {
		fields.values().forEach((name, value) -> {
			assertThat(name).doesNotContain("\n", ":").isNotEmpty();
			assertThat(value).doesNotContain("\n");
		});
	}

	private static String text(DeliveryReport kind) {
		return switch (kind) {
			case DeliveryReport.Bounced(var bounce) -> bounce.diagnostic();
			case DeliveryReport.Complained(var type) -> type;
			case DeliveryReport.Delayed(var reply) -> reply;
			case DeliveryReport.Delivered(var reply) -> reply;
		};
	}

}
