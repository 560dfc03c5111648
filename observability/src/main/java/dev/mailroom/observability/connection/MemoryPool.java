package dev.mailroom.observability.connection;

import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory for bodies, shared by all accounts. One account may use half of it, so that no
 * account can keep the others out.
 */
public final class MemoryPool {

	/** Owner of the bodies of requests without a credential. */
	public static final UUID PUBLIC = new UUID(0, 0);

	private final long maxBytes;

	private final AtomicLong total = new AtomicLong();

	private final Map<UUID, Long> byOwner = new ConcurrentHashMap<>();

	/** Creates a pool of a size in bytes. */
	public MemoryPool(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	/** Reserves memory, all of it or none. */
	public boolean reserve(UUID owner, long bytes) {
		count(owner, bytes);
		if (this.total.get() <= this.maxBytes && this.byOwner.getOrDefault(owner, 0L) <= this.maxBytes / 2) {
			return true;
		}
		release(owner, bytes);
		return false;
	}

	/** Counts memory that is in use already, beyond the limits if necessary. */
	public void count(UUID owner, long bytes) {
		this.total.addAndGet(bytes);
		this.byOwner.merge(owner, bytes, Long::sum);
	}

	/** Returns memory that was reserved or counted. */
	public void release(UUID owner, long bytes) {
		this.total.addAndGet(-bytes);
		this.byOwner.computeIfPresent(owner, (_, held) -> (held > bytes) ? held - bytes : null);
	}

}
