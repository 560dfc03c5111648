package dev.mailroom.worker.smtp.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Certificate of a listener. A new connection that begins TLS reads the files again if
 * they have changed; files that cannot be used leave the former certificate in use.
 */
final class RenewableCertificate extends SslContext {

	private static final Logger log = LoggerFactory.getLogger(RenewableCertificate.class);

	/** Signatures that prove that a key belongs to a certificate, by algorithm. */
	private static final Map<String, String> SIGNATURES = Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA",
			"EdDSA", "EdDSA");

	private final Path certFile;

	private final Path keyFile;

	private volatile Loaded loaded;

	/**
	 * Reads a certificate.
	 * @param certFile certificate chain (PEM)
	 * @param keyFile private key (PEM, PKCS #8)
	 */
	RenewableCertificate(Path certFile, Path keyFile) throws IOException, GeneralSecurityException {
		this.certFile = certFile;
		this.keyFile = keyFile;
		String state = state();
		this.loaded = new Loaded(state, read());
	}

	private SslContext current() {
		String state = state();
		if (!state.equals(this.loaded.state)) {
			renew(state);
		}
		return this.loaded.context;
	}

	private synchronized void renew(String state) {
		Loaded former = this.loaded;
		if (state.equals(former.state)) {
			return;
		}
		try {
			this.loaded = new Loaded(state, read());
			log.info("The certificate in {} was renewed", this.certFile);
		}
		catch (IOException | GeneralSecurityException | IllegalArgumentException ex) {
			// Tried again when a file changes: they are replaced one after the other.
			this.loaded = new Loaded(state, former.context);
			log.warn("The changed certificate in {} cannot be used, and the former one stays: {}", this.certFile,
					ex.toString());
		}
	}

	/** Times and sizes of both files, before they are read. */
	private String state() {
		return state(this.certFile) + " " + state(this.keyFile);
	}

	private static String state(Path file) {
		try {
			return Files.getLastModifiedTime(file).toMillis() + "/" + Files.size(file);
		}
		catch (IOException _) {
			return "missing";
		}
	}

	private SslContext read() throws IOException, GeneralSecurityException {
		File key = this.keyFile.toFile();
		X509Certificate[] chain = toX509Certificates(this.certFile.toFile());
		PrivateKey privateKey = standard(toPrivateKey(key, null));
		if (!belongs(privateKey, chain[0])) {
			throw new InvalidKeyException(this.keyFile + " is the key of another certificate");
		}
		return SslContextBuilder.forServer(privateKey, chain).build();
	}

	/**
	 * The key as the JDK reads it: Netty reads keys with BouncyCastle, if that is there.
	 */
	private static PrivateKey standard(PrivateKey key) throws GeneralSecurityException {
		return key.getAlgorithm().equals("ECDSA")
				? KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key.getEncoded())) : key;
	}

	private static boolean belongs(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
		String algorithm = SIGNATURES.get(key.getAlgorithm());
		if (algorithm == null) {
			return true;
		}
		Signature signature = Signature.getInstance(algorithm);
		signature.initSign(key);
		byte[] signed = signature.sign();
		signature.initVerify(certificate.getPublicKey());
		return signature.verify(signed);
	}

	@Override
	public boolean isClient() {
		return false;
	}

	@Override
	public List<String> cipherSuites() {
		return current().cipherSuites();
	}

	@Override
	@SuppressWarnings("deprecation")
	public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
		return current().applicationProtocolNegotiator();
	}

	@Override
	public SSLEngine newEngine(ByteBufAllocator allocator) {
		return current().newEngine(allocator);
	}

	@Override
	public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
		return current().newEngine(allocator, peerHost, peerPort);
	}

	@Override
	public SSLSessionContext sessionContext() {
		return current().sessionContext();
	}

	/**
	 * A certificate that was read.
	 *
	 * @param state times and sizes of the files
	 */
	private record Loaded(String state, SslContext context) {
	}

}
