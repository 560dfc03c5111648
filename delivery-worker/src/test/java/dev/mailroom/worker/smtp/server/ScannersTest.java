package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.mailroom.Await;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.smtp.server.InboundChecks.CheckResults;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/** Results of spam filter and virus scanner. */
@Surroundings.WorkerAlone
class ScannersTest {

	private static ScriptedScanners scanners;

	@Autowired
	Spf spf;

	@Autowired
	DkimCheck dkim;

	@Autowired
	Dmarc dmarc;

	@Autowired
	JsonMapper json;

	@BeforeAll
	static void start() {
		scanners = new ScriptedScanners();
	}

	@AfterAll
	static void stop() throws IOException {
		scanners.close();
	}

	@ParameterizedTest
	@CsvSource({ "no action, PASS", "greylist, GRAY", "add header, GRAY", "rewrite subject, GRAY", "soft reject, GRAY",
			"reject, FAIL", "reject skipped, FAIL", "no action skipped, PROCESSING_FAILED",
			"break, PROCESSING_FAILED" })
	void theSpamFiltersActionIsTheResult(String action, CheckResult result) throws IOException {
		assertThat(check("X-Rspamd: " + action + "\n\nx").spam()).isEqualTo(result);
		assertThat(scanners.requests().getLast()).isEqualTo("POST /checkv2 IP=[192.0.2.1] Helo=[helo.spf.test] "
				+ "From=[x@out.test] Rcpt=[a@in.test, b@in.test] Password=[secret]");
	}

	@ParameterizedTest
	@CsvSource({ "OK, PASS", "Eicar-Signature FOUND, FAIL", "INSTREAM size limit exceeded. ERROR, PROCESSING_FAILED",
			"break, PROCESSING_FAILED" })
	void theVirusScannersReplyIsTheResult(String reply, CheckResult result) throws IOException {
		assertThat(check("X-Clam: " + reply + "\n\nx" + "y".repeat(1_000_000)).virus()).isEqualTo(result);
	}

	@Test
	void withoutScannersTheResultsAreDisabled() throws IOException {
		CheckResults results = check("\nx", settings("", ""));
		assertThat(results.spam()).isEqualTo(CheckResult.DISABLED);
		assertThat(results.virus()).isEqualTo(CheckResult.DISABLED);
	}

	@Test
	void scannersThatCannotBeReachedDoNotAffectOtherChecks() throws IOException {
		CheckResults results = check("\nx", settings("http://127.0.0.1:1", "127.0.0.1:1"));
		assertThat(results.spam()).isEqualTo(CheckResult.PROCESSING_FAILED);
		assertThat(results.virus()).isEqualTo(CheckResult.PROCESSING_FAILED);
		assertThat(results.spf()).isEqualTo(CheckResult.GRAY);
	}

	private CheckResults check(String mail) throws IOException {
		return check(mail, settings(scanners.rspamdUrl(), scanners.clamAddress()));
	}

	private CheckResults check(String mail, ScannerSettings settings) throws IOException {
		InboundChecks checks = new InboundChecks(this.spf, this.dkim, this.dmarc, new Rspamd(settings, this.json),
				new ClamAv(settings), settings);
		IncomingMail incoming = new IncomingMail(InetAddress.getByName("192.0.2.1"), "helo.spf.test", "x@out.test",
				mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
		try {
			return Await.await(checks.check(incoming, List.of("a@in.test", "b@in.test"), List.of("out.test")));
		}
		finally {
			checks.destroy();
		}
	}

	private static ScannerSettings settings(String rspamd, String clam) {
		return new ScannerSettings(rspamd, "secret", clam, Duration.ofSeconds(20));
	}

}
