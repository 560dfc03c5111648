package dev.mailroom.worker.upkeep;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
 * read at the start, as the listeners do.
 */
@Component
class CertificateMeters implements MeterBinder {

	private static final Logger log = LoggerFactory.getLogger(CertificateMeters.class);

	private static final List<String> LISTENERS = List.of("inbound", "submission");

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
		try (InputStream pem = Files.newInputStream(file)) {
			X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
				.generateCertificate(pem);
			Instant expiry = certificate.getNotAfter().toInstant();
			TimeGauge
				.builder("mailroom.certificate.remaining", this.clock, TimeUnit.SECONDS,
						(now) -> Duration.between(now.instant(), expiry).toSeconds())
				.description("Time until the certificate of a listener expires")
				.tag("listener", listener)
				.register(registry);
		}
		catch (IOException | CertificateException ex) {
			log.warn("The certificate of the {} listener is not monitored: {}", listener, ex.toString());
		}
	}

}
