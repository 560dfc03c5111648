package dev.mailroom.worker.tracking;

import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;

import javax.net.ssl.SSLContext;

import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * Settings of orders of certificates.
 *
 * @param directory URL of the authority's directory (RFC 8555 7.1.1); empty if no
 * certificates are ordered
 * @param caFile file with the authorities that its own certificate, and those of tracking
 * domains, may have (PEM); null for the public ones
 */
@ConfigurationProperties("mailroom.acme")
record AcmeSettings(@DefaultValue("") String directory, @Nullable Path caFile) {

	AcmeSettings {
		directory = directory.strip();
		if (!directory.isEmpty() && !directory.matches("(https|acme)://[^\\s]+")) {
			throw new WrongSetting("MAILROOM_ACME_DIRECTORY", directory,
					"the URL of a directory, such as https://acme-v02.api.letsencrypt.org/directory");
		}
	}

	boolean isConfigured() {
		return !this.directory.isEmpty();
	}

	/** Whether other authorities than the public ones are trusted. */
	boolean hasAuthorities() {
		return this.caFile != null && !this.caFile.toString().isEmpty();
	}

	/** Context of clients that trust the authorities; null for the public ones. */
	@Nullable SSLContext trusted() {
		if (this.caFile == null || !hasAuthorities()) {
			return null;
		}
		PemSslStoreDetails trusted = PemSslStoreDetails.forCertificate(this.caFile.toUri().toString());
		try {
			return SslBundle.of(new PemSslStoreBundle(null, trusted)).createSslContext();
		}
		catch (IllegalStateException | UncheckedIOException _) {
			throw new WrongSetting("MAILROOM_ACME_CA_FILE", this.caFile.toString(), "a file with certificates in PEM");
		}
	}

	URI uri() {
		return URI.create(this.directory);
	}

}
