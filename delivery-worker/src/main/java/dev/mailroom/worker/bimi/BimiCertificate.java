package dev.mailroom.worker.bimi;

import java.io.ByteArrayInputStream;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.mailroom.readiness.BimiRecord.Problem;
import org.jspecify.annotations.Nullable;

/** Rules for certificates of logos (RFC 3709). Their issuers are not checked. */
final class BimiCertificate {

	/** Size at most: the logo is inside. */
	static final int MAX_BYTES = 256 * 1024;

	private static final String LOGOTYPE = "1.3.6.1.5.5.7.1.12";

	/** Type of DNS names among alternative names (RFC 5280 4.2.1.6). */
	private static final int DNS_NAME = 2;

	private static final String SELECTOR = "default._bimi.";

	private static final String REPLACE = "Obtain a certificate for the logo (VMC or CMC) of this domain, and serve it as "
			+ "PEM with the issuers after it.";

	private BimiCertificate() {
	}

	/**
	 * The problems with a certificate.
	 * @param pem the certificate, followed by its issuers
	 * @param names domains of which it must state one
	 */
	static List<Problem> check(byte[] pem, List<String> names, Instant now) {
		List<Problem> problems = new ArrayList<>();
		try {
			X509Certificate certificate = first(pem);
			if (now.isBefore(certificate.getNotBefore().toInstant())
					|| now.isAfter(certificate.getNotAfter().toInstant())) {
				problems.add(new Problem("The certificate is valid from " + certificate.getNotBefore().toInstant()
						+ " until " + certificate.getNotAfter().toInstant() + ".", "Renew the certificate."));
			}
			if (names(certificate).stream().noneMatch(names::contains)) {
				problems.add(new Problem("The certificate is not of this domain.", REPLACE));
			}
			if (certificate.getExtensionValue(LOGOTYPE) == null) {
				problems.add(new Problem("The certificate contains no logo.", REPLACE));
			}
		}
		catch (CertificateException _) {
			problems.add(new Problem("The certificate cannot be read.", REPLACE));
		}
		return problems;
	}

	private static X509Certificate first(byte[] pem) throws CertificateException {
		Iterator<? extends Certificate> all = CertificateFactory.getInstance("X.509")
			.generateCertificates(new ByteArrayInputStream(pem))
			.iterator();
		if (!all.hasNext()) {
			throw new CertificateException("The file is empty");
		}
		return (X509Certificate) all.next();
	}

	/** DNS names, without the selector that authorities may put before them. */
	private static List<String> names(X509Certificate certificate) throws CertificateParsingException {
		@Nullable Collection<List<?>> names = certificate.getSubjectAlternativeNames();
		return (names == null) ? List.of()
				: names.stream()
					.filter((name) -> Objects.equals(name.getFirst(), DNS_NAME))
					.map((name) -> ((String) name.get(1)).toLowerCase(Locale.ROOT))
					.map((name) -> name.startsWith(SELECTOR) ? name.substring(SELECTOR.length()) : name)
					.toList();
	}

}
