package dev.mailroom.worker.compose;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;

import dev.mailroom.domain.SigningKey;
import dev.mailroom.secret.NativeCryptography;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signature algorithms of Amazon Corretto Crypto Provider if its native library supports
 * this machine, otherwise of the JDK, which is slower, especially for Ed25519.
 */
final class SignatureAlgorithms {

	private static final Logger log = LoggerFactory.getLogger(SignatureAlgorithms.class);

	private static final @Nullable Provider NATIVE = NativeCryptography.provider().orElse(null);

	private SignatureAlgorithms() {
	}

	static Signature of(String algorithm) throws GeneralSecurityException {
		return (NATIVE != null) ? Signature.getInstance(algorithm, NATIVE) : Signature.getInstance(algorithm);
	}

	/**
	 * Converts a key to the native provider's representation. Otherwise it would be
	 * converted for each signature, which takes longer than an RSA signature.
	 */
	static SigningKey convert(SigningKey key) {
		if (NATIVE == null) {
			return key;
		}
		try {
			PrivateKey converted = KeyFactory.getInstance(key.key().getAlgorithm(), NATIVE)
				.generatePrivate(new PKCS8EncodedKeySpec(key.key().getEncoded()));
			return new SigningKey(key.domain(), key.selector(), key.algorithm(), converted);
		}
		catch (GeneralSecurityException ex) {
			log.warn("The native library does not support a key of {}: {}", key.domain(), ex.toString());
			return key;
		}
	}

}
