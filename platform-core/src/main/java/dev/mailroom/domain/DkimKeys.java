package dev.mailroom.domain;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.secret.NativeCryptography;
import dev.mailroom.secret.Seal;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Generates DKIM keys in pairs: an RSA key, which every verifier supports, and an Ed25519
 * key (RFC 8463). Pairs of one account are generated one after the other. An account that
 * needs many does not delay the others.
 */
@Component
class DkimKeys {

	private static final int RSA_BITS = 2048;

	/** Length of the raw public key, which ends the encoded one (RFC 8410). */
	private static final int ED25519_BYTES = 32;

	private static final int THREADS = 2;

	private static final int MAX_WAITING = 1000;

	/** Requests of one account, with the one in progress. */
	private static final int MAX_WAITING_EACH = 16;

	/** Generating an RSA key takes too long for an event loop. */
	private final Scheduler scheduler = Schedulers.newBoundedElastic(THREADS, MAX_WAITING, "dkim-keys");

	/** Requests by account in the order of their arrival; the first is in progress. */
	private final Map<UUID, Queue<Sinks.Empty<Void>>> requests = new ConcurrentHashMap<>();

	private final Seal seal;

	private final NoArgGenerator ids;

	DkimKeys(Seal seal, NoArgGenerator ids) {
		this.seal = seal;
		this.ids = ids;
	}

	/**
	 * Generates a pair of keys.
	 * @param active whether they sign immediately, as the first pair of a domain does
	 * @throws dev.mailroom.Refused {@code Service unavailable} if too many requests wait
	 */
	Mono<List<DkimKey>> generate(UUID account, UUID domainId, String domain, boolean active) {
		Mono<List<DkimKey>> pair = Mono
			.fromSupplier(() -> List.of(key(account, domainId, domain, "rsa-sha256", active),
					key(account, domainId, domain, "ed25519-sha256", active)))
			.subscribeOn(this.scheduler)
			.onErrorMap(RejectedExecutionException.class, (_) -> DomainRefusals.busy());
		return Mono.using(() -> enter(account), (turn) -> turn.asMono().then(pair), (turn) -> leave(account, turn));
	}

	/** Adds a request of an account; the result completes when its turn comes. */
	private Sinks.Empty<Void> enter(UUID account) {
		Sinks.Empty<Void> turn = Sinks.empty();
		this.requests.compute(account, (_, earlier) -> {
			Queue<Sinks.Empty<Void>> queue = (earlier != null) ? earlier : new ArrayDeque<>();
			if (queue.size() >= MAX_WAITING_EACH) {
				throw DomainRefusals.busy();
			}
			queue.add(turn);
			if (queue.size() == 1) {
				turn.tryEmitEmpty();
			}
			return queue;
		});
		return turn;
	}

	private void leave(UUID account, Sinks.Empty<Void> turn) {
		List<Sinks.Empty<Void>> next = new ArrayList<>(1);
		this.requests.computeIfPresent(account, (_, queue) -> {
			queue.remove(turn);
			queue.stream().limit(1).forEach(next::add);
			return queue.isEmpty() ? null : queue;
		});
		// A second signal to a request in progress has no effect.
		next.forEach(Sinks.Empty::tryEmitEmpty);
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
