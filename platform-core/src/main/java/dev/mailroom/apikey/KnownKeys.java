package dev.mailroom.apikey;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.apikey.ApiKeyStore.Known;
import dev.mailroom.domain.DomainDeleted;
import reactor.core.publisher.Mono;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Keys that were seen a moment ago, so that not every mail asks the database whose its
 * key is. A key that is revoked here is forgotten at once; elsewhere it works for a few
 * seconds more.
 */
@Component
class KnownKeys {

	private static final Duration STALE = Duration.ofSeconds(4);

	private static final int MOST = 10_000;

	private final Cache<String, Known> seen = Caffeine.newBuilder().expireAfterWrite(STALE).maximumSize(MOST).build();

	private final ApiKeyStore store;

	KnownKeys(ApiKeyStore store) {
		this.store = store;
	}

	/** The key with this prefix; empty where there is none. */
	Mono<Known> find(String prefix) {
		return Mono.defer(() -> {
			Known known = this.seen.getIfPresent(prefix);
			return (known != null) ? Mono.just(known)
					: this.store.byPrefix(prefix).doOnNext((found) -> this.seen.put(prefix, found));
		});
	}

	/** Nobody need write for a while that it was used. */
	void usedAt(Known key, Instant time) {
		this.seen.asMap().replace(key.prefix(), key, key.usedAt(time));
	}

	void forget(UUID id) {
		forget((known) -> known.id().equals(id));
	}

	@EventListener
	void forget(DomainDeleted deleted) {
		forget((known) -> known.domainId().equals(deleted.domain()));
	}

	private void forget(Predicate<Known> which) {
		this.seen.asMap().values().removeIf(which);
	}

}
