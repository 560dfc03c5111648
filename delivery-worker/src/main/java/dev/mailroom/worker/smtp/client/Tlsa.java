package dev.mailroom.worker.smtp.client;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.xbill.DNS.TLSARecord;

/**
 * Demands of a host's TLSA records (RFC 6698) on its certificate, by the rules for SMTP:
 * those of usage 0 and 1, and of unknown kinds, are not usable (RFC 7672 section 3.1.3).
 *
 * @param base name of the host below which they are published
 * @param usable records of which one must match; of several digests of one kind the
 * strongest only (RFC 7671 section 9)
 * @param failure error of the look-up; empty for none
 * @param ttl time for which they apply
 */
record Tlsa(Kind kind, String base, List<TLSARecord> usable, String failure, Duration ttl) {

	private static final int TRUST_ANCHOR = 2;

	private static final int END_ENTITY = 3;

	private static final int CERTIFICATE = 0;

	private static final int PUBLIC_KEY = 1;

	private static final int FULL = 0;

	private static final int SHA_256 = 1;

	private static final int SHA_512 = 2;

	private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA");

	/** Time after which a failed look-up is repeated. */
	private static final Duration AGAIN = Duration.ofSeconds(10);

	/** Kinds of demands. */
	enum Kind {

		/** No records, or none that DNSSEC proves: there are no demands. */
		ABSENT,
		/** Records of which none is usable: TLS with any certificate. */
		UNUSABLE,
		/** TLS with a certificate that matches. */
		USABLE,
		/** DNS has no valid answer: the host gets no mail. */
		FAILED;

		/** Whether the host must be contacted by TLS. */
		boolean applies() {
			return this == UNUSABLE || this == USABLE;
		}

	}

	static Tlsa absent(Duration ttl) {
		return new Tlsa(Kind.ABSENT, "", List.of(), "", ttl);
	}

	static Tlsa failed(String failure) {
		return new Tlsa(Kind.FAILED, "", List.of(), failure, AGAIN);
	}

	/** The demands of records that DNSSEC proves. */
	static Tlsa of(String base, List<TLSARecord> records, Duration ttl) {
		List<TLSARecord> valid = records.stream().filter(Tlsa::isUsable).toList();
		List<TLSARecord> usable = valid.stream()
			.filter((record) -> record.getMatchingType() != SHA_256 || valid.stream()
				.noneMatch((other) -> other.getMatchingType() == SHA_512 && isOfSameKind(record, other)))
			.toList();
		return new Tlsa(usable.isEmpty() ? Kind.UNUSABLE : Kind.USABLE, base, usable, "", ttl);
	}

	private static boolean isOfSameKind(TLSARecord one, TLSARecord other) {
		return one.getCertificateUsage() == other.getCertificateUsage() && one.getSelector() == other.getSelector();
	}

	private static boolean isUsable(TLSARecord record) {
		int usage = record.getCertificateUsage();
		int selector = record.getSelector();
		if ((usage != TRUST_ANCHOR && usage != END_ENTITY) || (selector != CERTIFICATE && selector != PUBLIC_KEY)) {
			return false;
		}
		return switch (record.getMatchingType()) {
			case FULL -> (selector == CERTIFICATE) ? certificate(record) != null : publicKey(record) != null;
			case SHA_256 -> record.getCertificateAssociationData().length == 32;
			case SHA_512 -> record.getCertificateAssociationData().length == 64;
			default -> false;
		};
	}

	/** The certificate in a record; null if it has none. */
	static @Nullable X509Certificate certificate(TLSARecord record) {
		if (record.getSelector() != CERTIFICATE || record.getMatchingType() != FULL) {
			return null;
		}
		try {
			Certificate certificate = CertificateFactory.getInstance("X.509")
				.generateCertificate(new ByteArrayInputStream(record.getCertificateAssociationData()));
			return (certificate instanceof X509Certificate found) ? found : null;
		}
		catch (GeneralSecurityException _) {
			return null;
		}
	}

	/** The public key in a record; null if it has none, or one that is unknown. */
	static @Nullable PublicKey publicKey(TLSARecord record) {
		if (record.getSelector() != PUBLIC_KEY || record.getMatchingType() != FULL) {
			return null;
		}
		for (String algorithm : ALGORITHMS) {
			try {
				return KeyFactory.getInstance(algorithm)
					.generatePublic(new X509EncodedKeySpec(record.getCertificateAssociationData()));
			}
			catch (GeneralSecurityException _) {
				// Another algorithm.
			}
		}
		return null;
	}

	/** Records that name the certificate of the server itself. */
	List<TLSARecord> ofServer() {
		return this.usable.stream().filter((record) -> record.getCertificateUsage() == END_ENTITY).toList();
	}

	/** Records that name a certificate of an authority. */
	List<TLSARecord> ofAuthorities() {
		return this.usable.stream().filter((record) -> record.getCertificateUsage() == TRUST_ANCHOR).toList();
	}

	/** Whether one of the records names a certificate. */
	static boolean match(List<TLSARecord> records, X509Certificate certificate) {
		return records.stream().anyMatch((record) -> {
			try {
				byte[] selected = (record.getSelector() == CERTIFICATE) ? certificate.getEncoded()
						: certificate.getPublicKey().getEncoded();
				byte[] expected = switch (record.getMatchingType()) {
					case SHA_256 -> MessageDigest.getInstance("SHA-256").digest(selected);
					case SHA_512 -> MessageDigest.getInstance("SHA-512").digest(selected);
					default -> selected;
				};
				return Arrays.equals(expected, record.getCertificateAssociationData());
			}
			catch (GeneralSecurityException _) {
				return false;
			}
		});
	}

}
