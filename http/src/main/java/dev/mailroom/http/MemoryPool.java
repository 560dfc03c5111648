package dev.mailroom.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.Bounded;
import dev.mailroom.http.MemoryOwner.Share;

/**
 * Memory for bodies, shared by all accounts and clients. One account may use half of it;
 * the clients without a credential may use half of it together, and one network of them
 * an eighth. Each owner has a small guaranteed part. A few owners can therefore not
 * exhaust the memory for the others.
 */
final class MemoryPool {

	private final long maxBytes;

	private final AtomicLong total = new AtomicLong();

	private final Map<Object, Long> held = new ConcurrentHashMap<>();

	/** Creates a pool of a size in bytes. */
	MemoryPool(long maxBytes) {
		this.maxBytes = maxBytes;
	}

	/**
	 * Reserves memory, all of it or none. Reserving nothing succeeds while the owner is
	 * within its shares.
	 */
	boolean reserve(MemoryOwner owner, long bytes) {
		boolean permitted = bytes == 0 || this.total.addAndGet(bytes) <= this.maxBytes;
		long own = add(owner.own(), bytes);
		permitted &= own <= limit(owner.own());
		for (Share share : owner.larger()) {
			permitted &= add(share, bytes) <= limit(share);
		}
		if (permitted || own <= owner.guaranteed()) {
			return true;
		}
		release(owner, bytes);
		return false;
	}

	/** Returns memory that was reserved. */
	void release(MemoryOwner owner, long bytes) {
		this.total.addAndGet(-bytes);
		remove(owner.own(), bytes);
		owner.larger().forEach((share) -> remove(share, bytes));
	}

	/** The size of the pool and the bytes reserved at present. */
	Bounded.Limit limit(String resource) {
		return new Bounded.Limit(resource, this.total::get, this.maxBytes);
	}

	private long limit(Share share) {
		return this.maxBytes / share.divisor();
	}

	private long add(Share share, long bytes) {
		return this.held.merge(share.key(), bytes, Long::sum);
	}

	private void remove(Share share, long bytes) {
		this.held.computeIfPresent(share.key(), (_, now) -> (now > bytes) ? now - bytes : null);
	}

}
