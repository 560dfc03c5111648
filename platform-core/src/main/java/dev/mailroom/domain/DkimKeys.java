package dev.mailroom.domain;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.crypto.NativeCryptography;
import dev.mailroom.seal.Seal;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Generates DKIM keys in pairs: an RSA key, which every verifier supports, and an Ed25519
 * key (RFC 8463).
 */
@Component
class DkimKeys {

	private static final int RSA_BITS = 2048;

	/** Length of the raw public key, which ends the encoded one (RFC 8410). */
	private static final int ED25519_BYTES = 32;

	private static final int THREADS = 2;

	private static final int MAX_WAITING = 1000;

	/** Generating an RSA key takes too long for an event loop. */
	private final Scheduler scheduler = Schedulers.newBoundedElastic(THREADS, MAX_WAITING, "dkim-keys");

	private final Seal seal;

	private final NoArgGenerator ids;

	DkimKeys(Seal seal, NoArgGenerator ids) {
		this.seal = seal;
		this.ids = ids;
	}

	/**
	 * Generates a pair of keys.
	 * @param active whether they sign immediately, as the first pair of a domain does
	 */
	Mono<List<DkimKey>> generate(UUID account, UUID domainId, String domain, boolean active) {
		return Mono.fromSupplier(() -> List.of(key(account, domainId, domain, "rsa-sha256", active),
				key(account, domainId, domain, "ed25519-sha256", active)))
			.subscribeOn(this.scheduler);
	}

	private DkimKey key(UUID account, UUID domainId, String domain, String algorithm, boolean active) {
		UUID id = this.ids.generate();
		boolean rsa = algorithm.startsWith("rsa");
		KeyPair pair = pair(rsa ? "RSA" : "Ed25519");
		byte[] encoded = pair.getPublic().getEncoded();
		byte[] published = rsa ? encoded : Arrays.copyOfRange(encoded, encoded.length - ED25519_BYTES, encoded.length);
		String selector = (rsa ? "mr" : "me") + id.toString().substring(28);
		return new DkimKey(id, account, domainId, domain, selector, algorithm,
				Base64.getEncoder().encodeToString(published),
				this.seal.seal(pair.getPrivate().getEncoded(), DkimKey.place(id, account)), active);
	}

	private static KeyPair pair(String type) {
		try {
			if (!type.equals("RSA")) {
				return KeyPairGenerator.getInstance(type).generateKeyPair();
			}
			Optional<Provider> provider = NativeCryptography.provider();
			KeyPairGenerator generator = provider.isPresent() ? KeyPairGenerator.getInstance(type, provider.get())
					: KeyPairGenerator.getInstance(type);
			generator.initialize(RSA_BITS);
			return generator.generateKeyPair();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(type + " keys are not available", ex);
		}
	}

}
