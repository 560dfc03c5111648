package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.DeliveryReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ReportReadingTest {

	@ParameterizedTest
	@CsvSource({ "postfix-unknown, HARD, 5.1.1, 550 5.1.1 <gone@example.net>: Recipient address rejected",
			"exim-report, HARD, 550, 550 No such user here", "exim-plain, HARD, 5.1.1, 550 5.1.1 unknown user",
			"exchange-full, SOFT, 5.2.2, 550 5.2.2 STOREDRV.Deliver",
			"gmail-unknown, HARD, 5.1.1, 550-5.1.1 The email account", "qmail, HARD, 550, 550 no such user",
			"qmail-silent, SOFT, '', Hi. This is the qmail-send program",
			"spam-refused, BLOCK, 550, 550 Message blocked", "broken, HARD, 5.1.1, 5.1.1" })
	void aReportIsABounceAndHardOnlyIfACodeSaysSo(String sample, Bounce.Type type, String code, String diagnostic) {
		assertThat(kind(sample)).get().isInstanceOfSatisfying(DeliveryReport.Bounced.class, (bounced) -> {
			assertThat(bounced.bounce().type()).isEqualTo(type);
			assertThat(bounced.bounce().code()).isEqualTo(code);
			assertThat(bounced.bounce().diagnostic()).startsWith(diagnostic);
		});
	}

	@Test
	void reportsOfDelayAndDeliveryAreRecognized() {
		assertThat(kind("postfix-delayed")).get()
			.isInstanceOfSatisfying(DeliveryReport.Delayed.class,
					(delayed) -> assertThat(delayed.reply()).startsWith("Delayed: 4.4.1 connect to"));
		assertThat(kind("postfix-delivered")).contains(new DeliveryReport.Delivered("250 2.0.0 Ok: queued as 77"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "vacation", "outlook-away", "arf-not-spam" })
	void automaticRepliesAndOtherFeedbackReportNothing(String sample) {
		assertThat(kind(sample)).isEmpty();
	}

	@Test
	void aComplaintHasItsFeedbackType() {
		assertThat(kind("arf-abuse")).contains(new DeliveryReport.Complained("abuse"));
	}

	@Test
	void deliveryToOneRecipientOfAListOutweighsTheFailureOfAnother() {
		String report = new String(sample("postfix-unknown"), StandardCharsets.UTF_8).replace("Final-Recipient",
				"Final-Recipient: rfc822; other@example.net\r\nAction: expanded\r\nStatus: 2.0.0\r\n\r\nFinal-Recipient");
		assertThat(kind(report.getBytes(StandardCharsets.UTF_8))).get().isInstanceOf(DeliveryReport.Delivered.class);
	}

	@Test
	void malformedAndTruncatedMailsCauseNoError() {
		byte[] whole = sample("gmail-unknown");
		for (int length = 0; length < whole.length; length += 7) {
			byte[] truncated = Arrays.copyOf(whole, length);
			assertThatNoException().isThrownBy(() -> kind(truncated));
		}
		String nested = "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n".repeat(500);
		assertThat(kind(nested.getBytes(StandardCharsets.UTF_8))).isEmpty();
		assertThat(kind(new byte[] { 0, -1, 13, 10, -128 })).isEmpty();
	}

	@Test
	@Timeout(20)
	void hostileTextsAreParsedInLimitedTime() {
		String from = "From: MAILER-DAEMON@x.test\r\nSubject: ";
		for (String mail : List.of(from + "undeliverable\r\n\r\n" + "-".repeat(64_000),
				from + "undeliverable\r\n\r\n" + "--\r\n".repeat(16_000),
				from + "delivery ".repeat(10_000) + "\r\n\r\nx", "Content-Type: message/delivery-status\r\n\r\na: b\r\n"
						+ "\r\n".repeat(30_000) + "Action: failed\r\n")) {
			assertThatNoException().isThrownBy(() -> kind(mail.getBytes(StandardCharsets.UTF_8)));
		}
	}

	static byte[] sample(String name) {
		try (InputStream file = Objects
			.requireNonNull(ReportReadingTest.class.getResourceAsStream("/feedback/" + name + ".eml"))) {
			return file.readAllBytes();
		}
		catch (IOException ex) {
			throw new IllegalStateException(name, ex);
		}
	}

	private static Optional<DeliveryReport> kind(String name) {
		return kind(sample(name));
	}

	private static Optional<DeliveryReport> kind(byte[] raw) {
		return ReportReading.of(ReturnedMail.read(raw));
	}

}
