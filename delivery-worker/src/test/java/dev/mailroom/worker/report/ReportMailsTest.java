package dev.mailroom.worker.report;

import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import dev.mailroom.dmarcreport.AggregateReport;
import dev.mailroom.worker.report.Unreadable.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.mailroom.worker.report.ReportCorpus.gzip;
import static dev.mailroom.worker.report.ReportCorpus.mail;
import static dev.mailroom.worker.report.ReportCorpus.repeated;
import static dev.mailroom.worker.report.ReportCorpus.zip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class ReportMailsTest {

	private static final String OLD = ReportCorpus.xml("rfc7489", "a.test", "1");

	private static final String NEW = ReportCorpus.xml("rfc9990", "a.test", "1");

	private static final String ROW = OLD.substring(OLD.indexOf("<record>"), OLD.indexOf("</record>") + 9);

	private static final String SHORT_ROW = "<record><row><source_ip>192.0.2.1</source_ip><count>7</count></row><identifiers>"
			+ "<header_from>a.test</header_from></identifiers></record>";

	@Test
	void bothFormsOfAReportGiveTheSameRows() throws Exception {
		AggregateReport report = read(OLD);
		assertThat(report.rows()).isEqualTo(read(NEW).rows());
		assertThat(report.rows()).extracting(Object::toString)
			.containsExactly(
					"Row[source=/192.0.2.1, count=7, disposition=none, dkim=true, spf=true, headerFrom=a.test, "
							+ "envelopeFrom=bounce.a.test, selectors=s1@a.test]",
					"Row[source=/2001:db8:0:0:0:0:0:1, count=2, disposition=quarantine, dkim=false, spf=false, "
							+ "headerFrom=news.a.test, envelopeFrom=lists.test, selectors=a@lists.test s1@a.test]");
		assertThat(report.org()).isEqualTo("receiver.test");
		assertThat(report.begin()).isEqualTo(ReportCorpus.begin());
		assertThat(report.end()).isEqualTo(ReportCorpus.end());
		assertThat(report.policy()).containsEntry("p", "none").containsEntry("domain", "a.test");
		assertThat(read(NEW).policy()).containsEntry("np", "reject")
			.containsEntry("testing", "n")
			.containsEntry("discovery_method", "treewalk");
	}

	@Test
	void aReportThatRspamdHasMadeIsRead() throws Exception {
		try (InputStream mail = Objects.requireNonNull(getClass().getResourceAsStream("/reports/rspamd.eml"))) {
			AggregateReport report = ReportMails.read(mail.readAllBytes(), Instant.parse("2026-11-28T12:00:00Z"));
			assertThat(report.org()).isEqualTo("Receiver <&>");
			assertThat(report.id()).isEqualTo("author.test.1795737600.1795824000");
			assertThat(report.rows()).extracting(Object::toString)
				.containsExactly(
						"Row[source=/2001:db8:0:0:0:0:0:9, count=1, disposition=none, dkim=false, spf=false, "
								+ "headerFrom=author.test, envelopeFrom=author.test, selectors=]",
						"Row[source=/192.0.2.7, count=3, disposition=none, dkim=false, spf=true, "
								+ "headerFrom=author.test, envelopeFrom=author.test, selectors=]");
		}
	}

	@Test
	void theNameOfTheHostIsNoEnvelopeSender() throws Exception {
		AggregateReport report = read(
				OLD.replace("<domain>bounce.a.test</domain>", "<domain>bounce.a.test</domain><scope>helo</scope>"));
		assertThat(report.rows().getFirst().envelopeFrom()).isEmpty();
	}

	@Test
	void theBytesOfAPartSayHowItIsPacked() throws Exception {
		byte[] xml = OLD.getBytes(StandardCharsets.UTF_8);
		AggregateReport plain = read(OLD);
		for (byte[] packed : List.of(xml, gzip(xml), zip(xml, 1))) {
			for (String type : List.of("application/zip", "application/gzip", "text/xml", "image/png")) {
				assertThat(read(mail("r@receiver.test", type, packed).getBytes(StandardCharsets.UTF_8)))
					.isEqualTo(plain);
			}
			assertThat(read(ReportCorpus.bare("r@receiver.test", packed).getBytes(StandardCharsets.UTF_8)))
				.isEqualTo(plain);
		}
	}

	static Stream<Arguments> readable() {
		return Stream.of(arguments("without a declaration", OLD.substring(OLD.indexOf("<feedback>")), 2),
				arguments("with a byte order mark", "\uFEFF" + OLD, 2),
				arguments("with a prefix of the namespace",
						OLD.replace("<feedback>", "<r:feedback xmlns:r='urn:r'>")
							.replace("</feedback>", "</r:feedback>"),
						2),
				arguments("with another namespace",
						OLD.replace("<feedback>", "<feedback xmlns='http://dmarc.org/dmarc-xml/0.1'>"), 2),
				arguments("with an unknown disposition", OLD.replace("quarantine", "discarded"), 2),
				arguments("with an unknown result", OLD.replace(">fail<", ">bestguesspass<"), 2),
				arguments("with upper case", OLD.replace(">pass<", ">PASS<"), 2),
				arguments("with white space", OLD.replace(">7<", ">\n 7 <"), 2),
				arguments("without a place for From", OLD.replace("<header_from>a.test</header_from>", ""), 2),
				arguments("with text in CDATA", OLD.replace(">receiver.test<", "><![CDATA[receiver.test]]><"), 2),
				arguments("with an address that is none", OLD.replace("192.0.2.1", "unknown"), 1),
				arguments("with a host as address", OLD.replace("192.0.2.1", "localhost"), 1),
				arguments("with a negative number", OLD.replace(">7<", ">-7<"), 1),
				arguments("with a number that is too large", OLD.replace(">7<", ">99999999999999999999<"), 1),
				arguments("without rows", OLD.replaceAll("(?s)<record>.*</record>", ""), 0),
				arguments("with as many rows as are read", OLD.replace(ROW, SHORT_ROW.repeat(19_999)), 20_000));
	}

	@ParameterizedTest
	@MethodSource("readable")
	void deviationsOfReceiversAreRead(String what, String xml, int rows) throws Exception {
		AggregateReport report = read(xml);
		assertThat(report.rows()).as(what).hasSize(rows);
		assertThat(report.org()).isEqualTo("receiver.test");
		assertThat(report.rows()).allSatisfy((row) -> assertThat(row.headerFrom()).endsWith("a.test"));
	}

	static Stream<Arguments> unreadable() {
		byte[] xml = OLD.getBytes(StandardCharsets.UTF_8);
		byte[] packed = gzip(xml);
		String dtd = OLD.replace("<feedback>", "<!DOCTYPE feedback [<!ENTITY a 'b'>]>\n<feedback>");
		return Stream.of(arguments(Reason.TOO_LARGE, repeated("x", 10 * 1024 * 1024 + 1)),
				arguments(Reason.NO_REPORT, "Subject: Hello\n\nHi".getBytes(StandardCharsets.UTF_8)),
				arguments(Reason.NO_REPORT, new byte[0]),
				arguments(Reason.NO_REPORT,
						part("<html><body>feedback</body></html>".getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.NO_REPORT, part(gzip(repeated("<html/>", 1)))),
				arguments(Reason.NOT_XML, part(gzip(new byte[0]))),
				arguments(Reason.NOT_XML, part(gzip(repeated("report", 1)))),
				arguments(Reason.NOT_XML, part(OLD.substring(0, 900).getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.NOT_XML, part(OLD.replace("receiver.test", "&").getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.NOT_XML,
						part(OLD.replace("<org_name>", "<a>".repeat(30) + "<org_name>")
							.getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.NOT_PACKED, part(Arrays.copyOf(packed, packed.length / 2))),
				arguments(Reason.NOT_PACKED, part(Arrays.copyOf(zip(xml, 1), 200))),
				arguments(Reason.SEVERAL_MEMBERS, part(zip(xml, 2))),
				arguments(Reason.BOMB, part(gzip(repeated(" ", 24 * 1024 * 1024)))),
				arguments(Reason.BOMB, part(zip(repeated("<!-- x -->", 2 * 1024 * 1024), 1))),
				arguments(Reason.DOCUMENT_TYPE, part(dtd.getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.DOCUMENT_TYPE,
						part(dtd.replace(">receiver.test<", ">&a;<").getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.DOCUMENT_TYPE,
						part(OLD.replace("<feedback>", "<!DOCTYPE feedback SYSTEM 'file:///etc/passwd'>\n<feedback>")
							.getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.TOO_MANY_ROWS,
						part(OLD.replace(ROW, SHORT_ROW.repeat(20_000)).getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.INCOMPLETE,
						part(OLD.replace("<report_id>1<", "<report_id> <").getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.INCOMPLETE,
						part(OLD.replaceAll("<begin>\\d+", "<begin>1").getBytes(StandardCharsets.UTF_8))),
				arguments(Reason.INCOMPLETE, part(
						OLD.replaceAll("<end>\\d+", "<end>9223372036854775807").getBytes(StandardCharsets.UTF_8))));
	}

	@ParameterizedTest
	@MethodSource("unreadable")
	void whatCannotBeReadHasAReason(Reason reason, byte[] mail) {
		assertThatExceptionOfType(Unreadable.class).isThrownBy(() -> read(mail))
			.satisfies((unreadable) -> assertThat(unreadable.reason()).isEqualTo(reason));
	}

	/** A million rows, a bomb, and entities that would grow to gigabytes. */
	@Test
	void hostileReportsTakeBoundedMemory() {
		String laughs = "<!DOCTYPE feedback [<!ENTITY a 'ha'><!ENTITY b '" + "&a;".repeat(1000) + "'><!ENTITY c '"
				+ "&b;".repeat(1000) + "'>]><feedback>&c;</feedback>";
		String million = OLD.replace(ROW, ROW.replaceAll("\\s+", "").repeat(60_000));
		for (byte[] mail : List.of(part(gzip(repeated(" ", 24 * 1024 * 1024))),
				part(laughs.getBytes(StandardCharsets.UTF_8)),
				part(zip(million.getBytes(StandardCharsets.UTF_8), 1)))) {
			long before = allocated();
			assertThatExceptionOfType(Unreadable.class).isThrownBy(() -> read(mail));
			assertThat(allocated() - before).isLessThan(300L * 1024 * 1024);
		}
	}

	private static long allocated() {
		return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
	}

	private static byte[] part(byte[] content) {
		return mail("r@receiver.test", "application/octet-stream", content).getBytes(StandardCharsets.UTF_8);
	}

	private static AggregateReport read(String xml) throws Unreadable {
		return read(part(xml.getBytes(StandardCharsets.UTF_8)));
	}

	private static AggregateReport read(byte[] mail) throws Unreadable {
		return ReportMails.read(mail, Instant.now());
	}

}
