package dev.mailroom.worker.report;

import java.time.Instant;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.mailroom.Mutations;
import dev.mailroom.dmarcreport.AggregateReport;
import dev.mailroom.tlsreport.TlsReport;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Fuzzing of mails with reports about domains (RFC 9990, RFC 7489, RFC 8460). */
class ReportMailsFuzzTest {

	private static final Instant NOW = Instant.parse("2026-11-28T00:00:00Z");

	@FuzzTest(maxDuration = "10m")
	void reports(byte[] input) {
		check(input);
	}

	@Test
	void mutatedReports() {
		Mutations.check(getClass(), "reports", 300, ReportMailsFuzzTest::check);
	}

	private static void check(byte[] input) {
		try {
			AggregateReport report = ReportMails.read(input, NOW);
			assertThat(report.id()).isNotEmpty();
			assertThat(report.begin()).isBeforeOrEqualTo(report.end());
			assertThat(report.rows()).hasSizeLessThanOrEqualTo(20_000).allSatisfy((row) -> {
				assertThat(row.count()).isPositive();
				assertThat(row.disposition()).isIn("none", "quarantine", "reject", "other");
				assertThat(row.headerFrom() + row.envelopeFrom() + row.selectors()).doesNotContain("\n", "\0")
					.hasSizeLessThan(10_000);
			});
		}
		catch (Unreadable ex) {
			assertThat(ex.reason()).isNotNull();
		}
		try {
			TlsReport report = ReportMails.readTls(input, NOW);
			assertThat(report.id()).isNotEmpty();
			assertThat(report.begin()).isBeforeOrEqualTo(report.end());
			assertThat(report.policies()).hasSizeLessThanOrEqualTo(1000).allSatisfy((policy) -> {
				assertThat(policy.successful()).isNotNegative();
				assertThat(policy.domain()).doesNotContain("\n", "\0").hasSizeLessThanOrEqualTo(300);
				assertThat(policy.failures()).allSatisfy((failure) -> assertThat(failure.sessions()).isPositive());
			});
		}
		catch (Unreadable ex) {
			assertThat(ex.reason()).isNotNull();
		}
	}

}
