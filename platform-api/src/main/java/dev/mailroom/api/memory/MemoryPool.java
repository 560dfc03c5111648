package dev.mailroom.api.memory;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory shared by all accounts. One account may use half of it, so that no account can
 * keep the others out.
 */
final class MemoryPool {

	/** Owner of the bodies of requests without a credential. */
	static final UUID PUBLIC = new UUID(0, 0);

	private final long maxBytes;

	private final AtomicLong total = new AtomicLong();

	private final Map<UUID, Long> byOwner = new ConcurrentHashMap<>();

	MemoryPool(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	/** Reserves memory, all of it or none. */
	boolean reserve(UUID owner, long bytes) {
		count(owner, bytes);
		if (this.total.get() <= this.maxBytes && this.byOwner.getOrDefault(owner, 0L) <= this.maxBytes / 2) {
			return true;
		}
		release(owner, bytes);
		return false;
	}

	/** Counts memory that is in use already, beyond the limits if necessary. */
	void count(UUID owner, long bytes) {
		this.total.addAndGet(bytes);
		this.byOwner.merge(owner, bytes, Long::sum);
	}

	void release(UUID owner, long bytes) {
		this.total.addAndGet(-bytes);
		this.byOwner.computeIfPresent(owner, (_, held) -> (held > bytes) ? held - bytes : null);
	}

}
