package dev.mailroom.worker.smtp.client;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CertificateException;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.TLSARecord;

/**
 * Trust in a server whose certificate matches a TLSA record (RFC 7671 section 5). A
 * record of the server's own certificate decides alone: names, dates and issuers do not
 * matter. One of an authority demands a valid chain to it, and the name of the host or of
 * the domain.
 */
final class DaneTrust extends X509ExtendedTrustManager {

	private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";

	private static final String ANY_USAGE = "2.5.29.37.0";

	private static final int DNS_NAME = 2;

	private final Tlsa tlsa;

	private final List<String> names;

	/**
	 * Creates the trust.
	 * @param domain domain of the recipient, whose name is as good as that of the host
	 */
	DaneTrust(Tlsa tlsa, String domain) {
		this.tlsa = tlsa;
		this.names = List.of(tlsa.base().toLowerCase(Locale.ROOT), domain.toLowerCase(Locale.ROOT));
	}

	/** The TLS context of a session with this trust. */
	SslContext context() {
		try {
			return SslContextBuilder.forClient().trustManager(this).endpointIdentificationAlgorithm(null).build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("The TLS context of DANE cannot be created", ex);
		}
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		if (Tlsa.match(this.tlsa.ofServer(), chain[0])) {
			return;
		}
		List<TLSARecord> authorities = this.tlsa.ofAuthorities();
		if (authorities.isEmpty()) {
			throw noMatch("The certificate matches no TLSA record of ");
		}
		Set<TrustAnchor> anchors = anchors(authorities, List.of(chain));
		if (anchors.isEmpty()) {
			throw noMatch("No certificate of the chain matches a TLSA record of ");
		}
		checkChain(chain, anchors);
		if (names(chain[0]).stream().noneMatch((name) -> this.names.stream().anyMatch((host) -> matches(name, host)))) {
			throw new CertificateException("The certificate has neither name of " + String.join(", ", this.names));
		}
	}

	/** The cause tells a record that does not match from a name that does not. */
	private CertificateException noMatch(String text) {
		return new CertificateException(text + this.tlsa.base(),
				new GeneralSecurityException("no TLSA record matches"));
	}

	/** Authorities of the chain that match a record, and those that records contain. */
	private static Set<TrustAnchor> anchors(List<TLSARecord> records, List<X509Certificate> chain)
			throws CertificateException {
		Set<TrustAnchor> anchors = new HashSet<>();
		for (X509Certificate certificate : chain.subList(1, chain.size())) {
			if (Tlsa.match(records, certificate)) {
				add(anchors, certificate);
			}
		}
		for (TLSARecord record : records) {
			@Nullable X509Certificate certificate = Tlsa.certificate(record);
			@Nullable PublicKey key = Tlsa.publicKey(record);
			if (certificate != null) {
				add(anchors, certificate);
			}
			else if (key != null) {
				chain.forEach((one) -> anchors.add(new TrustAnchor(one.getIssuerX500Principal(), key, null)));
			}
		}
		return anchors;
	}

	/** Path validation does not check the authority itself. */
	private static void add(Set<TrustAnchor> anchors, X509Certificate authority) throws CertificateException {
		if (authority.getBasicConstraints() >= 0) {
			authority.checkValidity();
			anchors.add(new TrustAnchor(authority, null));
		}
	}

	private static void checkChain(X509Certificate[] chain, Set<TrustAnchor> anchors) throws CertificateException {
		X509CertSelector server = new X509CertSelector();
		server.setCertificate(chain[0]);
		try {
			PKIXBuilderParameters parameters = new PKIXBuilderParameters(anchors, server);
			parameters.setRevocationEnabled(false);
			parameters
				.addCertStore(CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of(chain))));
			Objects.requireNonNull(CertPathBuilder.getInstance("PKIX").build(parameters));
		}
		catch (GeneralSecurityException ex) {
			throw new CertificateException("The chain to the certificate of the TLSA record is not valid: "
					+ Objects.requireNonNullElse(ex.getMessage(), ""), ex);
		}
		@Nullable List<String> usages = chain[0].getExtendedKeyUsage();
		if (usages != null && !usages.contains(SERVER_AUTH) && !usages.contains(ANY_USAGE)) {
			throw new CertificateException("The certificate is not one of a server");
		}
	}

	private static List<String> names(X509Certificate certificate) throws CertificateException {
		@Nullable Collection<List<?>> names = certificate.getSubjectAlternativeNames();
		return (names != null) ? names.stream()
			.filter((name) -> name.getFirst().equals(DNS_NAME))
			.map((name) -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT))
			.toList() : List.of();
	}

	/** An asterisk stands for exactly the first label (RFC 7672 section 3.2.3). */
	private static boolean matches(String name, String host) {
		return name.startsWith("*.")
				? host.indexOf('.') > 0 && host.substring(host.indexOf('.')).equals(name.substring(1))
				: name.equals(host);
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		checkServerTrusted(chain, authType);
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		checkServerTrusted(chain, authType);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		throw new CertificateException("Clients are not verified");
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		checkClientTrusted(chain, authType);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		checkClientTrusted(chain, authType);
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return new X509Certificate[0];
	}

}
