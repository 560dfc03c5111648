package dev.mailroom.worker.jobs;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Gauges of the time until the certificates of the SMTP listeners expire. The files are
 * read for each sample, because they are renewed.
 */
@Component
class CertificateMeters implements MeterBinder {

	private static final Logger log = LoggerFactory.getLogger(CertificateMeters.class);

	private static final List<String> LISTENERS = List.of("inbound", "submission");

	private static final String BEGIN = "-----BEGIN CERTIFICATE-----";

	private final Environment environment;

	private final Clock clock;

	CertificateMeters(Environment environment, Clock clock) {
		this.environment = environment;
		this.clock = clock;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		for (String listener : LISTENERS) {
			String file = this.environment.getProperty("mailroom." + listener + ".cert-file", "");
			if (!file.isBlank()) {
				bind(registry, listener, Path.of(file));
			}
		}
	}

	private void bind(MeterRegistry registry, String listener, Path file) {
		try {
			Duration _ = remaining(file);
			TimeGauge
				.builder("mailroom.certificate.remaining", this, TimeUnit.SECONDS, (meters) -> meters.seconds(file))
				.description("Time until the certificate of a listener expires")
				.tag("listener", listener)
				.register(registry);
		}
		catch (IOException | CertificateException ex) {
			log.warn("The certificate of the {} listener is not monitored: {}", listener, ex.toString());
		}
	}

	private double seconds(Path file) {
		try {
			return remaining(file).toSeconds();
		}
		catch (IOException | CertificateException _) {
			return Double.NaN;
		}
	}

	private Duration remaining(Path file) throws IOException, CertificateException {
		return Duration.between(this.clock.instant(), read(Files.readString(file)).getNotAfter().toInstant());
	}

	/** The first certificate of a file, which may also contain the key. */
	private static X509Certificate read(String pem) throws CertificateException {
		byte[] block = pem.substring(Math.max(0, pem.indexOf(BEGIN))).getBytes(StandardCharsets.US_ASCII);
		return (X509Certificate) CertificateFactory.getInstance("X.509")
			.generateCertificate(new ByteArrayInputStream(block));
	}

}
