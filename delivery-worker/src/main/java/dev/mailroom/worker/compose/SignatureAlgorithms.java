package dev.mailroom.worker.compose;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import dev.mailroom.domain.SigningKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs with Amazon's build of a native library where it runs on this machine, which is
 * faster than the JDK, at Ed25519 by far; elsewhere with the JDK.
 */
final class SignatureAlgorithms {

	private static final Logger log = LoggerFactory.getLogger(SignatureAlgorithms.class);

	private static final @Nullable Provider FAST = fast();

	private SignatureAlgorithms() {
	}

	static Signature of(String algorithm) throws GeneralSecurityException {
		return (FAST != null) ? Signature.getInstance(algorithm, FAST) : Signature.getInstance(algorithm);
	}

	/**
	 * The key as the library holds its own: a key of the JDK would be read anew for every
	 * signature, which takes longer than RSA's signature itself.
	 */
	static SigningKey fitted(SigningKey key) {
		if (FAST == null) {
			return key;
		}
		try {
			PrivateKey own = KeyFactory.getInstance(key.key().getAlgorithm(), FAST)
				.generatePrivate(new PKCS8EncodedKeySpec(key.key().getEncoded()));
			return new SigningKey(key.domain(), key.selector(), key.algorithm(), own);
		}
		catch (GeneralSecurityException ex) {
			log.warn("A key of {} is not known to the native library: {}", key.domain(), ex.toString());
			return key;
		}
	}

	private static @Nullable Provider fast() {
		// Without it the library leaves the keys of Ed25519 to the JDK.
		System.setProperty("com.amazon.corretto.crypto.provider.registerEdKeyFactory", "true");
		AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
		@Nullable Throwable error = provider.getLoadingError();
		if (error == null) {
			return provider;
		}
		log.info("Mail is signed by the JDK: no native library for this machine ({})", error.toString());
		return null;
	}

}
