package dev.mailroom.secret;

import java.security.Provider;
import java.util.Optional;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Amazon Corretto Crypto Provider, which generates and uses RSA keys several times faster
 * than the JDK. Loaded on the first call, and not registered with the JDK.
 */
public final class NativeCryptography {

	private NativeCryptography() {
	}

	/** The provider; empty if its native library does not support this machine. */
	public static Optional<Provider> provider() {
		return Loaded.PROVIDER;
	}

	private static final class Loaded {

		private static final Logger log = LoggerFactory.getLogger(NativeCryptography.class);

		private static final Optional<Provider> PROVIDER = load();

		private static Optional<Provider> load() {
			// Otherwise the provider does not handle Ed25519 keys.
			System.setProperty("com.amazon.corretto.crypto.provider.registerEdKeyFactory", "true");
			AmazonCorrettoCryptoProvider provider = AmazonCorrettoCryptoProvider.INSTANCE;
			Throwable error = provider.getLoadingError();
			if (error == null) {
				return Optional.of(provider);
			}
			log.info("DKIM keys and signatures use the JDK: the native library does not support this machine ({})",
					error.toString());
			return Optional.empty();
		}

	}

}
