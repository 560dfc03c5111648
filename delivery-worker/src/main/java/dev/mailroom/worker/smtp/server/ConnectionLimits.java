package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.Bounded;
import dev.mailroom.ClientNetwork;
import dev.mailroom.Scope;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpServerOptions.SmtpLimits;
import org.jspecify.annotations.Nullable;

/**
 * Counts of the open connections and of the memory used by mails being received, in total
 * and per owner of an address. Requests above a limit are refused.
 */
final class ConnectionLimits {

	private final SmtpLimits limits;

	private final AtomicInteger connections = new AtomicInteger();

	private final Map<String, Integer> connectionsByOwner = new ConcurrentHashMap<>();

	private final Map<String, Integer> connectionsBySite = new ConcurrentHashMap<>();

	private final AtomicLong bytes = new AtomicLong();

	private final Map<String, Long> bytesByOwner = new ConcurrentHashMap<>();

	/** Memory of mails being handled, beside that of their bytes. */
	private final AtomicLong handling = new AtomicLong();

	private final Map<String, Long> handlingByOwner = new ConcurrentHashMap<>();

	ConnectionLimits(SmtpLimits limits) {
		this.limits = limits;
	}

	/** Counts a connection if the limits permit it; {@link #leave} must follow then. */
	boolean enter(InetAddress address) {
		if (this.connections.incrementAndGet() > this.limits.connections()) {
			this.connections.decrementAndGet();
			return false;
		}
		int ofOwner = this.connectionsByOwner.merge(owner(address), 1, Integer::sum);
		int ofSite = this.connectionsBySite.merge(ClientNetwork.site(address), 1, Integer::sum);
		if (ofOwner > this.limits.connectionsEach()
				|| ofSite > (long) this.limits.connectionsEach() * ClientNetwork.SITE_FACTOR) {
			leave(address);
			return false;
		}
		return true;
	}

	void leave(InetAddress address) {
		this.connections.decrementAndGet();
		this.connectionsByOwner.computeIfPresent(owner(address), (_, count) -> (count > 1) ? count - 1 : null);
		this.connectionsBySite.computeIfPresent(ClientNetwork.site(address),
				(_, count) -> (count > 1) ? count - 1 : null);
	}

	/**
	 * Reserves memory, all of it or none.
	 * @param owner owner of the bytes, with a limit below the total
	 */
	boolean reserve(String owner, long more) {
		if (this.bytes.addAndGet(more) > this.limits.bytes()) {
			this.bytes.addAndGet(-more);
			return false;
		}
		if (this.bytesByOwner.merge(owner, more, Long::sum) > this.limits.bytesEach()) {
			release(owner, more);
			return false;
		}
		return true;
	}

	void release(String owner, long reserved) {
		this.bytes.addAndGet(-reserved);
		this.bytesByOwner.computeIfPresent(owner, (_, total) -> (total > reserved) ? total - reserved : null);
	}

	/**
	 * Reserves the memory for handling a mail, which is a multiple of its size: parsed
	 * text, decoded parts and their copies on the way to the database. A single mail that
	 * takes more than the share of its owner counts as the whole share. It is then the
	 * only mail of its owner. {@link #endHandling} must follow if it was reserved.
	 */
	boolean beginHandling(String owner, long memory) {
		long cost = Math.min(memory, this.limits.handlingEach());
		long total = this.handling.addAndGet(cost);
		long ofOwner = this.handlingByOwner.merge(owner, cost, Long::sum);
		if (total > this.limits.bytes() || ofOwner > this.limits.handlingEach()) {
			endHandling(owner, memory);
			return false;
		}
		return true;
	}

	void endHandling(String owner, long memory) {
		long cost = Math.min(memory, this.limits.handlingEach());
		this.handling.addAndGet(-cost);
		this.handlingByOwner.computeIfPresent(owner, (_, total) -> (total > cost) ? total - cost : null);
	}

	/** The limits of all clients together, and their use. */
	List<Bounded.Limit> limits(String listener) {
		return List.of(new Bounded.Limit(listener + "_connections", this.connections::get, this.limits.connections()),
				new Bounded.Limit(listener + "_bytes", this.bytes::get, this.limits.bytes()),
				new Bounded.Limit(listener + "_handling_bytes", this.handling::get, this.limits.bytes()));
	}

	/** Whether so much is in use that shorter timeouts apply. */
	boolean isCrowded() {
		return this.connections.get() > this.limits.connections() * 3 / 4 || this.bytes.get() > this.limits.bytes() / 2;
	}

	/** Key of the owner of a client's mail: its account, or that of its address. */
	static String owner(SmtpClient client) {
		@Nullable Scope principal = client.principal();
		return (principal != null) ? principal.account().toString() : owner(client.address().getAddress());
	}

	/** Key of the owner of an address: the address, or the /64 network of IPv6. */
	static String owner(InetAddress address) {
		return ClientNetwork.text(address);
	}

}
