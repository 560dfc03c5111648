package dev.mailroom.worker.jobs;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

import dev.mailroom.worker.TestCertificate;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

class CertificateMetersTest {

	@TempDir
	Path directory;

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void theTimeUntilACertificateExpiresIsExportedAndAnUnreadableFileIsNot() throws Exception {
		TestCertificate certificate = TestCertificate.of("mx.test", this.directory);
		Path broken = Files.writeString(this.directory.resolve("broken.pem"), "no certificate");
		Clock tomorrow = Clock.offset(Clock.system(ZoneOffset.UTC), Duration.ofDays(1));
		new CertificateMeters(
				new MockEnvironment().withProperty("mailroom.inbound.cert-file", certificate.pem().toString())
					.withProperty("mailroom.submission.cert-file", broken.toString()),
				tomorrow)
			.bindTo(this.registry);
		assertThat(this.registry.get("mailroom.certificate.remaining")
			.tag("listener", "inbound")
			.timeGauge()
			.value(TimeUnit.HOURS)).isBetween(22d, 24d);
		assertThat(this.registry.find("mailroom.certificate.remaining").tag("listener", "submission").timeGauge())
			.isNull();
	}

	@Test
	void aRenewedCertificateIsSeenWithoutARestart() throws Exception {
		TestCertificate certificate = TestCertificate.of("mx.test", this.directory);
		Path file = this.directory.resolve("tls.crt");
		certificate.writeCertificate(file);
		CertificateMeters meters = new CertificateMeters(
				new MockEnvironment().withProperty("mailroom.inbound.cert-file", file.toString()), Clock.systemUTC());
		meters.bindTo(this.registry);
		TimeGauge gauge = this.registry.get("mailroom.certificate.remaining").timeGauge();
		assertThat(gauge.value(TimeUnit.HOURS)).isBetween(46d, 48d);
		Files.writeString(file, "being written");
		assertThat(gauge.value(TimeUnit.HOURS)).isNaN();
		certificate.writeCertificate(file);
		assertThat(gauge.value(TimeUnit.HOURS)).isBetween(46d, 48d);
	}

}
