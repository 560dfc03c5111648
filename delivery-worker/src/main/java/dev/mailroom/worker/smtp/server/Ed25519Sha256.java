package dev.mailroom.worker.smtp.server;

import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;

import org.jspecify.annotations.Nullable;

/**
 * Security provider of ed25519-sha256 (RFC 8463): Ed25519 over a SHA-256 digest, under
 * the algorithm name that jDKIM requests.
 */
final class Ed25519Sha256 extends Provider {

	private static final long serialVersionUID = 1L;

	private static final String NAME = "MailroomDkim";

	private Ed25519Sha256() {
		super(NAME, "1", "Verifies ed25519-sha256 of DKIM");
		put("Signature.SHA256withED25519", Verifier.class.getName());
	}

	/** Registers the provider once. */
	static void install() {
		if (Security.getProvider(NAME) == null) {
			Security.addProvider(new Ed25519Sha256());
		}
	}

	/** Verification only. */
	public static final class Verifier extends SignatureSpi {

		private final Signature signature;

		private final MessageDigest digest;

		public Verifier() throws NoSuchAlgorithmException {
			this.signature = Signature.getInstance("Ed25519");
			this.digest = MessageDigest.getInstance("SHA-256");
		}

		@Override
		protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
			this.digest.reset();
			this.signature.initVerify(key);
		}

		@Override
		protected void engineUpdate(byte data) {
			this.digest.update(data);
		}

		@Override
		protected void engineUpdate(byte[] data, int from, int length) {
			this.digest.update(data, from, length);
		}

		@Override
		protected boolean engineVerify(byte[] signed) throws SignatureException {
			this.signature.update(this.digest.digest());
			return this.signature.verify(signed);
		}

		@Override
		protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
			throw new InvalidKeyException("Signing is not supported");
		}

		@Override
		protected byte[] engineSign() throws SignatureException {
			throw new SignatureException("Signing is not supported");
		}

		@Override
		protected void engineSetParameter(@Nullable AlgorithmParameterSpec parameters) {
			// The algorithm has no parameters.
		}

		@Override
		@Deprecated
		protected void engineSetParameter(String name, Object value) {
			throw new UnsupportedOperationException("The algorithm has no parameters");
		}

		@Override
		@Deprecated
		protected Object engineGetParameter(String name) {
			throw new UnsupportedOperationException("The algorithm has no parameters");
		}

	}

}
