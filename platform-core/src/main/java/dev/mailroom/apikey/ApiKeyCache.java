package dev.mailroom.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.apikey.ApiKeyStore.StoredKey;
import dev.mailroom.domain.Domains;
import reactor.core.publisher.Mono;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Cache of API keys that were used recently, so that not every request reads the
 * database. A key that is revoked on this instance is removed immediately; on other
 * instances it stays valid until its entry expires.
 */
@Component
class ApiKeyCache {

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(4);

	private static final int MAX_KEYS = 10_000;

	private final Cache<String, StoredKey> keys = Caffeine.newBuilder()
		.expireAfterWrite(TIME_TO_LIVE)
		.maximumSize(MAX_KEYS)
		.build();

	private final ApiKeyStore store;

	ApiKeyCache(ApiKeyStore store) {
		this.store = store;
	}

	/** Finds the key with a prefix; empty if there is none. */
	Mono<StoredKey> find(String prefix) {
		return Mono.defer(() -> {
			StoredKey cached = this.keys.getIfPresent(prefix);
			return (cached != null) ? Mono.just(cached)
					: this.store.findByPrefix(prefix).doOnNext((key) -> this.keys.put(prefix, key));
		});
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
		remove((key) -> key.domainId().equals(deleted.domain()));
	}

	private void remove(Predicate<StoredKey> condition) {
		this.keys.asMap().values().removeIf(condition);
	}

}
