package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

import dev.mailroom.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

@EnabledIf(value = "dev.mailroom.worker.smtp.server.RealScanners#areInstalled",
		disabledReason = "rspamd and clamav-daemon are not installed")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealScannersTest {

	private static final String HEADER = """
			From: Ann <ann@out.test>
			To: bob@in.test
			Subject: Hello
			Date: Sat, 21 Nov 2026 10:00:00 +0000
			Message-ID: <1@out.test>
			""";

	private static final String BODY_WITH_FILE = """
			MIME-Version: 1.0
			Content-Type: multipart/mixed; boundary=part

			--part
			Content-Type: text/plain

			Look at this.
			--part
			Content-Type: application/octet-stream; name=a.com
			Content-Transfer-Encoding: base64

			%s
			--part--
			""";

	private RealScanners scanners;

	private Rspamd rspamd;

	private ClamAv clamAv;

	@BeforeAll
	void start(@TempDir Path directory) throws IOException {
		this.scanners = new RealScanners(directory);
		ScannerSettings settings = new ScannerSettings(this.scanners.rspamdUrl(), "secret", this.scanners.clamAddress(),
				Duration.ofSeconds(30));
		this.rspamd = new Rspamd(settings, new JsonMapper());
		this.clamAv = new ClamAv(settings);
	}

	@AfterAll
	void stop() {
		if (this.scanners != null) {
			this.scanners.close();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ann@out.test", "" })
	void aCleanMailPassesBothScanners(String sender) throws IOException {
		byte[] mail = bytes(HEADER + "\nHi Bob, see you at dinner.\n");
		assertThat(spam(sender, mail)).isEqualTo(CheckResult.PASS);
		assertThat(result(this.clamAv.check(mail))).isEqualTo(CheckResult.PASS);
	}

	@Test
	void theSpamTestStringFails() throws IOException {
		assertThat(spam("ann@out.test", bytes(HEADER + "\n" + RealScanners.GTUBE + "\n"))).isEqualTo(CheckResult.FAIL);
	}

	@Test
	void theVirusTestStringFailsInAnAttachmentAndInTheText() {
		String file = Base64.getMimeEncoder().encodeToString(RealScanners.EICAR.getBytes(StandardCharsets.US_ASCII));
		assertThat(result(this.clamAv.check(bytes(HEADER + BODY_WITH_FILE.formatted(file)))))
			.isEqualTo(CheckResult.FAIL);
		assertThat(result(this.clamAv.check(bytes(HEADER + "\n" + RealScanners.EICAR + "\n"))))
			.isEqualTo(CheckResult.FAIL);
	}

	@Test
	void aMailAboveTheScannersSizeLimitDoesNotPass() {
		byte[] large = bytes(HEADER + "\n" + "0123456789abcde\n".repeat(200_000));
		assertThat(result(this.clamAv.check(large).onErrorReturn(CheckResult.PROCESSING_FAILED)))
			.isEqualTo(CheckResult.PROCESSING_FAILED);
	}

	private CheckResult spam(String sender, byte[] mail) throws IOException {
		IncomingMail incoming = new IncomingMail(InetAddress.getByName("192.0.2.1"), "mx.out.test", sender, mail);
		return result(this.rspamd.check(incoming, List.of("bob@in.test", "eve@in.test")));
	}

	private static byte[] bytes(String mail) {
		return mail.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
	}

	private static CheckResult result(Mono<CheckResult> check) {
		return Await.await(check);
	}

}
