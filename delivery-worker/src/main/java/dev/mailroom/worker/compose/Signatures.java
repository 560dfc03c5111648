package dev.mailroom.worker.compose;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.Signature;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signs with Amazon's build of a native library where it runs on this machine, which is
 * faster than the JDK, at Ed25519 by far; elsewhere with the JDK.
 */
final class Signatures {

	private static final Logger log = LoggerFactory.getLogger(Signatures.class);

	private static final @Nullable Provider FAST = fast();

	private Signatures() {
	}

	static Signature of(String algorithm) throws GeneralSecurityException {
		return (FAST != null) ? Signature.getInstance(algorithm, FAST) : Signature.getInstance(algorithm);
	}

	private static @Nullable Provider fast() {
		AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
		@Nullable Throwable error = provider.getLoadingError();
		if (error == null) {
			return provider;
		}
		log.info("Mail is signed by the JDK: no native library for this machine ({})", error.toString());
		return null;
	}

}
