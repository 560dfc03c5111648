package dev.mailroom.account;

import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import dev.mailroom.database.Transactions;
import dev.mailroom.secret.Seal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The keys that sign access tokens. The first key is created when it is first needed, a
 * successor when a key reaches the end of its lifetime. Every instance reads the table
 * again after a minute, well within the time that a key is published before it signs.
 */
@Component
class KeyRing {

	private static final Logger log = LoggerFactory.getLogger(KeyRing.class);

	/** Age at which the cached keys are read again. */
	private static final Duration MAX_AGE = Duration.ofMinutes(1);

	/** Shortest time between two reads that unknown key ids cause. */
	private static final Duration MIN_REREAD_INTERVAL = Duration.ofSeconds(1);

	private final SigningKeyStore store;

	private final Seal seal;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	private final Duration lifetime;

	private final Mono<KeySet> cached;

	/** Sets read before this time are stale. */
	private volatile Instant staleBefore = Instant.MIN;

	KeyRing(SigningKeyStore store, Seal seal, Transactions transactions, NoArgGenerator ids, Clock clock,
			TokenSettings settings) {
		this.store = store;
		this.seal = seal;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
		this.lifetime = settings.signingKeyLifetime();
		this.cached = Mono.defer(this::maintained).cacheInvalidateIf(this::isStale);
	}

	/** The keys, at most a minute old. */
	Mono<KeySet> current() {
		return this.cached;
	}

	/**
	 * The public key with an id; empty if there is none after the table was read again.
	 */
	Mono<JWK> named(String kid) {
		return find(kid).switchIfEmpty(Mono.defer(() -> reread(kid)));
	}

	private Mono<JWK> reread(String kid) {
		Instant limit = this.clock.instant().minus(MIN_REREAD_INTERVAL);
		return this.cached.filter((keys) -> keys.readAt().isBefore(limit)).flatMap((_) -> {
			this.staleBefore = limit;
			return find(kid);
		});
	}

	private Mono<JWK> find(String kid) {
		return this.cached.flatMapIterable((keys) -> keys.named(kid)).next();
	}

	private boolean isStale(KeySet keys) {
		return keys.readAt().isBefore(this.staleBefore) || keys.readAt().plus(MAX_AGE).isBefore(this.clock.instant());
	}

	private Mono<KeySet> maintained() {
		return read()
			.flatMap((keys) -> needsUpdate(keys) ? this.transactions.acrossAccounts(update()) : Mono.just(keys));
	}

	private Mono<KeySet> read() {
		return this.store.all().map(this::open).collectList().map((keys) -> new KeySet(keys, this.clock.instant()));
	}

	private boolean needsUpdate(KeySet keys) {
		return keys.needsSuccessor(this.clock.instant(), this.lifetime)
				|| !keys.expired(this.clock.instant()).isEmpty();
	}

	/** Reads again under the lock, since another instance may have updated the table. */
	private Mono<KeySet> update() {
		return this.store.lock().then(Mono.defer(this::read)).flatMap((keys) -> {
			Instant now = this.clock.instant();
			List<UUID> expired = keys.expired(now).stream().map((entry) -> entry.row().id()).toList();
			Mono<Void> added = keys.needsSuccessor(now, this.lifetime)
					? this.store.insert(create(now, keys.keys().isEmpty())) : Mono.empty();
			return added.then(this.store.delete(expired)).then(Mono.defer(this::read));
		});
	}

	/**
	 * The first key signs immediately: no verifier can have cached a set without it. Only
	 * its successors are a change that an operator may look for in the log.
	 */
	private TokenKey create(Instant now, boolean first) {
		UUID id = this.ids.generate();
		Instant signsFrom = first ? now : now.plus(KeySet.PUBLICATION_LEAD);
		log.atLevel(first ? Level.DEBUG : Level.INFO)
			.log("Published the new signing key {}, which signs from {}", id, signsFrom);
		byte[] jwk = generate(id).toJSONString().getBytes(StandardCharsets.UTF_8);
		return new TokenKey(id, this.seal.seal(jwk, TokenKey.place(id)), now, signsFrom);
	}

	private static ECKey generate(UUID id) {
		try {
			return new ECKeyGenerator(Curve.P_256).keyID(id.toString())
				.keyUse(KeyUse.SIGNATURE)
				.algorithm(JWSAlgorithm.ES256)
				.generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException("Cannot generate a key pair on P-256", ex);
		}
	}

	private KeySet.Entry open(TokenKey row) {
		byte[] jwk = this.seal.open(row.sealedJwk(), TokenKey.place(row.id()));
		try {
			return new KeySet.Entry(row, ECKey.parse(new String(jwk, StandardCharsets.UTF_8)));
		}
		catch (ParseException ex) {
			throw new IllegalStateException("Signing key " + row.id() + " is not readable", ex);
		}
	}

}
