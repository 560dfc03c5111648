package dev.mailroom.domain;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.seal.Seal;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Makes DKIM keys: an RSA one that everybody reads, and an Ed25519 one for those who do.
 */
@Component
class DkimKeys {

	private static final int RSA_BITS = 2048;

	/** An Ed25519 key's own bytes are the last of its encoding (RFC 8410). */
	private static final int ED25519_BYTES = 32;

	/**
	 * Making an RSA key takes a processor for a while: not on an event loop, and few at a
	 * time.
	 */
	private final Scheduler scheduler = Schedulers.newBoundedElastic(2, 1000, "dkim-keys");

	private final Seal seal;

	private final NoArgGenerator ids;

	DkimKeys(Seal seal, NoArgGenerator ids) {
		this.seal = seal;
		this.ids = ids;
	}

	/**
	 * Makes a pair of keys.
	 * @param active whether they sign at once: the first pair of a domain does
	 */
	Mono<List<DkimKey>> make(UUID account, UUID domainId, String domain, boolean active) {
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
			KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
			if (type.equals("RSA")) {
				generator.initialize(RSA_BITS);
			}
			return generator.generateKeyPair();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("This Java platform makes no " + type + " keys", ex);
		}
	}

}
