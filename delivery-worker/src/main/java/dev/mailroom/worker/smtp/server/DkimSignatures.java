package dev.mailroom.worker.smtp.server;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

import org.apache.james.jdkim.DKIMVerifier;
import org.apache.james.jdkim.api.PublicKeyRecord;
import org.apache.james.jdkim.api.PublicKeyRecordRetriever;
import org.apache.james.jdkim.api.SignatureRecord;
import org.apache.james.jdkim.exceptions.TempFailException;
import org.apache.james.jdkim.tagvalue.PublicKeyRecordImpl;
import org.apache.james.jdkim.tagvalue.SignatureRecordImpl;
import org.jspecify.annotations.Nullable;

/**
 * jDKIM's verifier with two additions: Ed25519 signatures (RFC 8463) are supported, and
 * SHA-1, RSA keys below 1024 bits (RFC 8301) and partial body signatures are refused.
 */
final class DkimSignatures extends DKIMVerifier {

	static {
		Ed25519Sha256.install();
	}

	DkimSignatures(BlockingResolver resolver) {
		this((_, selector, token) -> keys(resolver, selector + "._domainkey." + token));
	}

	DkimSignatures(PublicKeyRecordRetriever keys) {
		super(keys);
	}

	private static List<String> keys(BlockingResolver resolver, String host) throws TempFailException {
		try {
			return resolver.texts(host);
		}
		catch (IOException ex) {
			throw new TempFailException(ex.getMessage());
		}
	}

	@Override
	protected PublicKeyRecord newPublicKeyRecord(String record) {
		return new StrictKey(record);
	}

	@Override
	public SignatureRecord newSignatureRecord(String record) {
		return new StrictSignature(record);
	}

	/** A signature that must use SHA-256 and cover the whole body. */
	private static final class StrictSignature extends SignatureRecordImpl {

		StrictSignature(String record) {
			super(record);
		}

		@Override
		public void validate() {
			super.validate();
			if (!"sha256".contentEquals(getHashMethod())) {
				throw new IllegalStateException("The hash algorithm is not SHA-256");
			}
			if (getBodyHashLimit() >= 0) {
				throw new IllegalStateException("The signature covers only a part of the body");
			}
		}

		/** Null: a timestamp in the future is not refused (RFC 6376 section 3.5). */
		@Override
		public @Nullable Long getSignatureTimestamp() {
			return null;
		}

	}

	/** A public key record of DNS. */
	private static final class StrictKey extends PublicKeyRecordImpl {

		/** X.509 prefix of an Ed25519 key (RFC 8410). */
		private static final byte[] X509_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

		private static final int MIN_RSA_BITS = 1024;

		StrictKey(String record) {
			super(record);
		}

		@Override
		public PublicKey getPublicKey() {
			if ("ed25519".contentEquals(getValue("k"))) {
				return ed25519();
			}
			if (super.getPublicKey() instanceof RSAPublicKey key && key.getModulus().bitLength() >= MIN_RSA_BITS) {
				return key;
			}
			throw new IllegalStateException("The RSA key is shorter than 1024 bits");
		}

		private PublicKey ed25519() {
			try {
				byte[] bytes = Base64.getMimeDecoder().decode(getValue("p").toString());
				byte[] encoded = new byte[X509_PREFIX.length + bytes.length];
				System.arraycopy(X509_PREFIX, 0, encoded, 0, X509_PREFIX.length);
				System.arraycopy(bytes, 0, encoded, X509_PREFIX.length, bytes.length);
				return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
			}
			catch (GeneralSecurityException | IllegalArgumentException ex) {
				throw new IllegalStateException("Not an Ed25519 key", ex);
			}
		}

	}

}
