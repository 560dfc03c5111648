package dev.mailroom.http;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import reactor.core.publisher.Mono;

import org.springframework.security.core.Authentication;
import org.springframework.web.server.ServerWebExchange;

/**
 * Memory for bodies, shared by all accounts. One account may use half of it, and has a
 * small guaranteed part, so that a few accounts cannot exhaust it for the others.
 */
public final class MemoryPool {

	/** Owner of the bodies of requests without a credential. */
	public static final UUID PUBLIC = new UUID(0, 0);

	/** Memory that an account may use beyond the total. */
	private static final long GUARANTEED_BYTES = 64 * 1024;

	private final long maxBytes;

	private final AtomicLong total = new AtomicLong();

	private final Map<UUID, Long> byOwner = new ConcurrentHashMap<>();

	/** Creates a pool of a size in bytes. */
	public MemoryPool(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	/** The account of a request, or else {@link #PUBLIC}. */
	public static Mono<UUID> owner(ServerWebExchange exchange) {
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.defaultIfEmpty(PUBLIC);
	}

	/**
	 * Reserves memory, all of it or none. Reserving nothing succeeds while the owner is
	 * within its share.
	 */
	public boolean reserve(UUID owner, long bytes) {
		boolean permitted = bytes == 0 || this.total.addAndGet(bytes) <= this.maxBytes;
		long held = this.byOwner.merge(owner, bytes, Long::sum);
		if (held <= this.maxBytes / 2 && (permitted || held <= GUARANTEED_BYTES)) {
			return true;
		}
		release(owner, bytes);
		return false;
	}

	/** Returns memory that was reserved. */
	public void release(UUID owner, long bytes) {
		this.total.addAndGet(-bytes);
		this.byOwner.computeIfPresent(owner, (_, held) -> (held > bytes) ? held - bytes : null);
	}

}
