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
import dev.mailroom.Transactions;
import dev.mailroom.seal.Seal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * The keys that access tokens are signed with. Made at the first need and, when one has
 * signed long enough, made anew; every instance reads the table again each minute, which
 * is well within the hour that a key is published before it signs.
 */
@Component
class KeyRing {

	private static final Logger log = LoggerFactory.getLogger(KeyRing.class);

	private static final Duration FRESH = Duration.ofMinutes(1);

	/** How often a kid that is not known may cause another look. */
	private static final Duration PATIENCE = Duration.ofSeconds(1);

	private final SigningKeyStore store;

	private final Seal seal;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	private final Duration lifetime;

	private final Mono<KeySet> ring;

	private volatile Instant unfitBefore = Instant.MIN;

	KeyRing(SigningKeyStore store, Seal seal, Transactions transactions, NoArgGenerator ids, Clock clock,
			TokenSettings settings) {
		this.store = store;
		this.seal = seal;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
		this.lifetime = settings.signingKeyLifetime();
		this.ring = Mono.defer(this::kept).cacheInvalidateIf(this::stale);
	}

	/** The keys, at most a minute old. */
	Mono<KeySet> current() {
		return this.ring;
	}

	/** The public key of this name; empty where there is none, also at a second look. */
	Mono<JWK> named(String kid) {
		return this.ring.flatMapIterable((it) -> it.named(kid)).next().switchIfEmpty(Mono.defer(() -> again(kid)));
	}

	private Mono<JWK> again(String kid) {
		Instant limit = this.clock.instant().minus(PATIENCE);
		return this.ring.filter((it) -> it.readAt().isBefore(limit)).flatMap((_) -> {
			this.unfitBefore = limit;
			return this.ring.flatMapIterable((it) -> it.named(kid)).next();
		});
	}

	private boolean stale(KeySet known) {
		return known.readAt().isBefore(this.unfitBefore) || known.readAt().plus(FRESH).isBefore(this.clock.instant());
	}

	private Mono<KeySet> kept() {
		return read().flatMap((found) -> upkeep(found) ? this.transactions.acrossAccounts(renew()) : Mono.just(found));
	}

	private Mono<KeySet> read() {
		return this.store.all().map(this::opened).collectList().map((keys) -> new KeySet(keys, this.clock.instant()));
	}

	private boolean upkeep(KeySet found) {
		return found.wantsAnother(this.clock.instant(), this.lifetime) || !found.spent(this.clock.instant()).isEmpty();
	}

	/** Looks again under the lock, for another instance may have been first. */
	private Mono<KeySet> renew() {
		return this.store.lock().then(Mono.defer(this::read)).flatMap((found) -> {
			Instant now = this.clock.instant();
			List<UUID> spent = found.spent(now).stream().map((it) -> it.row().id()).toList();
			Mono<Void> added = found.wantsAnother(now, this.lifetime)
					? this.store.add(another(now, found.keys().isEmpty())) : Mono.empty();
			return added.then(this.store.drop(spent)).then(Mono.defer(this::read));
		});
	}

	/** The very first signs at once: nobody can have met another. */
	private SigningKey another(Instant now, boolean first) {
		UUID id = this.ids.generate();
		Instant signsFrom = first ? now : now.plus(KeySet.LEAD);
		log.info("A new signing key {} is published; it signs from {}", id, signsFrom);
		byte[] jwk = generate(id).toJSONString().getBytes(StandardCharsets.UTF_8);
		return new SigningKey(id, this.seal.seal(jwk, SigningKey.place(id)), now, signsFrom);
	}

	private static ECKey generate(UUID id) {
		try {
			return new ECKeyGenerator(Curve.P_256).keyID(id.toString())
				.keyUse(KeyUse.SIGNATURE)
				.algorithm(JWSAlgorithm.ES256)
				.generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException("No key pair on P-256 can be made", ex);
		}
	}

	private KeySet.Entry opened(SigningKey row) {
		byte[] jwk = this.seal.open(row.sealedJwk(), SigningKey.place(row.id()));
		try {
			return new KeySet.Entry(row, ECKey.parse(new String(jwk, StandardCharsets.UTF_8)));
		}
		catch (ParseException ex) {
			throw new IllegalStateException("Signing key " + row.id() + " is not readable", ex);
		}
	}

}
