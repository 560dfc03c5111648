package dev.mailroom.worker.inbound;

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
import org.apache.james.jdkim.api.SignatureRecord;
import org.apache.james.jdkim.exceptions.TempFailException;
import org.apache.james.jdkim.tagvalue.PublicKeyRecordImpl;
import org.apache.james.jdkim.tagvalue.SignatureRecordImpl;
import org.jspecify.annotations.Nullable;

/**
 * jDKIM's verifier, taught what came after it: Ed25519 (RFC 8463), and that SHA-1, short
 * keys (RFC 8301) and signatures over a part of the body prove nothing.
 */
final class DkimSignatures extends DKIMVerifier {

	static {
		Ed25519Sha256.install();
	}

	DkimSignatures(BlockingResolver names) {
		super((method, selector, token) -> keys(names, selector + "._domainkey." + token));
	}

	private static List<String> keys(BlockingResolver names, String host) throws TempFailException {
		try {
			return names.texts(host);
		}
		catch (IOException ex) {
			throw new TempFailException(ex.getMessage());
		}
	}

	@Override
	protected PublicKeyRecord newPublicKeyRecord(String record) {
		return new Key(record);
	}

	@Override
	public SignatureRecord newSignatureRecord(String record) {
		return new Signed(record);
	}

	/** A signature that says what is signed, and by what that still proves something. */
	private static final class Signed extends SignatureRecordImpl {

		Signed(String record) {
			super(record);
		}

		@Override
		public void validate() {
			super.validate();
			if (!"sha256".contentEquals(getHashMethod())) {
				throw new IllegalStateException("Only SHA-256 proves anything");
			}
			if (getBodyHashLimit() >= 0) {
				throw new IllegalStateException("What covers a part says nothing of the rest");
			}
		}

		/** A clock that goes a little ahead of ours forges nothing (RFC 6376 3.5). */
		@Override
		public @Nullable Long getSignatureTimestamp() {
			return null;
		}

	}

	/** A key as DNS has it. */
	private static final class Key extends PublicKeyRecordImpl {

		/** What stands before an Ed25519 key's own bytes (RFC 8410). */
		private static final byte[] ED25519 = HexFormat.of().parseHex("302a300506032b6570032100");

		private static final int SHORTEST_RSA = 1024;

		Key(String record) {
			super(record);
		}

		@Override
		public PublicKey getPublicKey() {
			if ("ed25519".contentEquals(getValue("k"))) {
				return ed25519();
			}
			if (super.getPublicKey() instanceof RSAPublicKey key && key.getModulus().bitLength() >= SHORTEST_RSA) {
				return key;
			}
			throw new IllegalStateException("The key is too short");
		}

		private PublicKey ed25519() {
			try {
				byte[] bytes = Base64.getMimeDecoder().decode(getValue("p").toString());
				byte[] encoded = new byte[ED25519.length + bytes.length];
				System.arraycopy(ED25519, 0, encoded, 0, ED25519.length);
				System.arraycopy(bytes, 0, encoded, ED25519.length, bytes.length);
				return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
			}
			catch (GeneralSecurityException | IllegalArgumentException ex) {
				throw new IllegalStateException("Not a key", ex);
			}
		}

	}

}
