package dev.mailroom.account;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.mailroom.account.ApiKeyStore.StoredKey;
import dev.mailroom.domain.Domains;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Cache of API keys that were used recently. A key that is revoked on this instance is
 * removed immediately; on other instances it stays valid until its entry expires.
 */
@Component
class ApiKeyCache {

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(4);

	/**
	 * A key whose read took longer is not cached, because it may have been revoked since.
	 */
	private static final Duration MAX_READ_TIME = Duration.ofSeconds(1);

	private static final int MAX_KEYS = 10_000;

	private final Cache<String, StoredKey> keys;

	/** Prefixes that no key has. A new key has a random prefix that nobody asked for. */
	private final Cache<String, Boolean> unknown;

	/** Number of removals: a key that is read while one takes place is not cached. */
	private final AtomicLong removals = new AtomicLong();

	private final ApiKeyStore store;

	private final Throttle throttle;

	@Autowired
	ApiKeyCache(ApiKeyStore store, Throttle throttle) {
		this(store, throttle, Ticker.systemTicker());
	}

	ApiKeyCache(ApiKeyStore store, Throttle throttle, Ticker ticker) {
		this.store = store;
		this.throttle = throttle;
		this.unknown = Caffeine.newBuilder()
			.expireAfterWrite(TIME_TO_LIVE)
			.maximumSize(MAX_KEYS)
			.ticker(ticker)
			.build();
		this.keys = Caffeine.newBuilder()
			.expireAfter(Expiry.<String, StoredKey>creating((_, _) -> TIME_TO_LIVE))
			.maximumSize(MAX_KEYS)
			.ticker(ticker)
			.build();
	}

	/**
	 * Finds the key with a prefix; empty if there is none.
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded} after too many unknown
	 * prefixes from the client's network
	 */
	Mono<StoredKey> find(String prefix) {
		return Mono.defer(() -> {
			StoredKey cached = this.keys.getIfPresent(prefix);
			if (cached != null) {
				return Mono.just(cached);
			}
			return (this.unknown.getIfPresent(prefix) != null) ? Mono.empty() : this.throttle.lookUp(read(prefix));
		});
	}

	private Mono<StoredKey> read(String prefix) {
		long removalsBefore = this.removals.get();
		long began = System.nanoTime();
		return this.store.findByPrefix(prefix).doOnNext((key) -> {
			if (System.nanoTime() - began < MAX_READ_TIME.toNanos()) {
				this.keys.put(prefix, key);
				if (this.removals.get() != removalsBefore) {
					this.keys.invalidate(prefix);
				}
			}
		}).switchIfEmpty(Mono.fromRunnable(() -> this.unknown.put(prefix, true)));
	}

	/** Updates the time of the last use, unless the entry has changed. */
	void usedAt(StoredKey key, Instant time) {
		this.keys.asMap().replace(key.prefix(), key, key.usedAt(time));
	}

	void remove(UUID id) {
		remove((key) -> key.id().equals(id));
	}

	@EventListener
	void remove(Domains.Deleted deleted) {
		remove((key) -> deleted.domain().equals(key.domainId()));
	}

	private void remove(Predicate<StoredKey> condition) {
		this.removals.incrementAndGet();
		this.keys.asMap().values().removeIf(condition);
	}

}
