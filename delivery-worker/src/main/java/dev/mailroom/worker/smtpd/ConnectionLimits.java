package dev.mailroom.worker.smtpd;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts who is there and what they have brought: whoever comes when it is full is told
 * to come again, rather than everybody lost when the memory ends.
 */
final class ConnectionLimits {

	/** The part of an IPv6 address that names a network of one owner, in bytes. */
	private static final int NETWORK = 8;

	private final SmtpLimits limits;

	private final AtomicInteger guests = new AtomicInteger();

	private final Map<String, Integer> guestsFrom = new ConcurrentHashMap<>();

	private final AtomicLong bytes = new AtomicLong();

	private final Map<String, Long> bytesFrom = new ConcurrentHashMap<>();

	ConnectionLimits(SmtpLimits limits) {
		this.limits = limits;
	}

	/** Lets a connection in, or not. Who was let in leaves. */
	boolean enter(InetAddress address) {
		if (this.guests.incrementAndGet() > this.limits.connections()) {
			this.guests.decrementAndGet();
			return false;
		}
		if (this.guestsFrom.merge(owner(address), 1, Integer::sum) > this.limits.connectionsEach()) {
			leave(address);
			return false;
		}
		return true;
	}

	void leave(InetAddress address) {
		this.guests.decrementAndGet();
		this.guestsFrom.computeIfPresent(owner(address), (_, count) -> (count > 1) ? count - 1 : null);
	}

	/**
	 * Takes room for as many bytes, or none.
	 * @param owner of the bytes, who never has all the room
	 */
	boolean take(String owner, long more) {
		if (this.bytes.addAndGet(more) > this.limits.bytes()) {
			this.bytes.addAndGet(-more);
			return false;
		}
		if (this.bytesFrom.merge(owner, more, Long::sum) > this.limits.bytesEach()) {
			give(owner, more);
			return false;
		}
		return true;
	}

	void give(String owner, long taken) {
		this.bytes.addAndGet(-taken);
		this.bytesFrom.computeIfPresent(owner, (_, had) -> (had > taken) ? had - taken : null);
	}

	/** Whether so little is left that nobody should dawdle. */
	boolean isCrowded() {
		return this.guests.get() > this.limits.connections() * 3 / 4 || this.bytes.get() > this.limits.bytes() / 2;
	}

	/** Who an address belongs to. */
	static String owner(InetAddress address) {
		byte[] whole = address.getAddress();
		return HexFormat.of().formatHex((address instanceof Inet6Address) ? Arrays.copyOf(whole, NETWORK) : whole);
	}

}
