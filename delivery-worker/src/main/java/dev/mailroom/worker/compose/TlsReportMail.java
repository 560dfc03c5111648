package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

import org.springframework.stereotype.Component;

/**
 * Composes mails with reports about TLS (RFC 8460 section 5.3), in the platform's name.
 */
@Component
public class TlsReportMail {

	private final PlatformSignature signature;

	private final Clock clock;

	TlsReportMail(PlatformSignature signature, Clock clock) {
		this.signature = signature;
		this.clock = clock;
	}

	/** Domain that sends the reports. */
	public String submitter() {
		return this.signature.domain();
	}

	/**
	 * Composes and signs a mail; empty if the platform's key cannot be read, because a
	 * report without a signature is not accepted.
	 */
	public Optional<byte[]> compose(Report report) {
		return this.signature.key().map((key) -> Dkim.sign(text(report), List.of(key)));
	}

	private byte[] text(Report report) {
		String boundary = "=_" + report.id().hashCode();
		return """
				From: Mailroom <no-reply@%1$s>
				To: <%2$s>
				Subject: Report Domain: %3$s
				 Submitter: %1$s
				 Report-ID: <%4$s>
				Date: %5$s
				Message-ID: <%4$s>
				TLS-Report-Domain: %3$s
				TLS-Report-Submitter: %1$s
				TLS-Required: No
				Auto-Submitted: auto-generated
				MIME-Version: 1.0
				Content-Type: multipart/report; report-type="tlsrpt";
				 boundary="%6$s"

				--%6$s
				Content-Type: text/plain; charset=us-ascii

				Report about TLS of sessions with the mail servers of %3$s (RFC 8460).

				--%6$s
				Content-Type: application/tlsrpt+gzip
				Content-Disposition: attachment;
				 filename="%7$s"
				Content-Transfer-Encoding: base64

				%8$s
				--%6$s--
				""".formatted(submitter(), report.recipient(), report.domain(), report.id(),
				DateTimeFormatter.RFC_1123_DATE_TIME.format(this.clock.instant().atOffset(ZoneOffset.UTC)), boundary,
				report.fileName(), Base64.getMimeEncoder(76, new byte[] { '\n' }).encodeToString(report.content()))
			.replace("\n", "\r\n")
			.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * A report for one receiver.
	 *
	 * @param domain domain of the policies
	 * @param id id of the report, which has the form of a message's
	 * @param recipient address of the receiver
	 * @param content JSON, compressed by gzip
	 */
	public record Report(String domain, String id, String recipient, String fileName, byte[] content) {
	}

}
