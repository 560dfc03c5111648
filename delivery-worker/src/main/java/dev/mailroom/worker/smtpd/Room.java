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
final class Room {

	/** The part of an IPv6 address that names a network of one owner, in bytes. */
	private static final int NETWORK = 8;

	private final SmtpLimits limits;

	private final AtomicInteger guests = new AtomicInteger();

	private final Map<String, Integer> guestsFrom = new ConcurrentHashMap<>();

	private final AtomicLong bytes = new AtomicLong();

	Room(SmtpLimits limits) {
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

	/** Takes room for as many bytes, or none. */
	boolean take(long more) {
		if (this.bytes.addAndGet(more) > this.limits.bytes()) {
			this.bytes.addAndGet(-more);
			return false;
		}
		return true;
	}

	void give(long taken) {
		this.bytes.addAndGet(-taken);
	}

	private static String owner(InetAddress address) {
		byte[] whole = address.getAddress();
		return HexFormat.of().formatHex((address instanceof Inet6Address) ? Arrays.copyOf(whole, NETWORK) : whole);
	}

}
