package dev.mailroom.worker.inbound;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.springframework.stereotype.Component;

/** Limit on the mails that one client may send per minute. */
@Component
class InboundRate {

	private static final int MAX_CLIENTS = 100_000;

	/** Bytes of an IPv6 address that identify a network of one owner (a /64). */
	private static final int NETWORK_BYTES = 8;

	private final Cache<String, AtomicInteger> counts = Caffeine.newBuilder()
		.expireAfterWrite(Duration.ofMinutes(1))
		.maximumSize(MAX_CLIENTS)
		.build();

	private final InboundSettings settings;

	InboundRate(InboundSettings settings) {
		this.settings = settings;
	}

	/** Counts one mail and returns whether it is within the limit. */
	boolean allows(InetAddress client) {
		int count = this.counts.get(network(client), (_) -> new AtomicInteger()).incrementAndGet();
		return this.settings.pace() == 0 || count <= this.settings.pace();
	}

	/** Key of the owner of an address: the address, or the /64 network of IPv6. */
	static String network(InetAddress client) {
		byte[] address = client.getAddress();
		return HexFormat.of()
			.formatHex((client instanceof Inet6Address) ? Arrays.copyOf(address, NETWORK_BYTES) : address);
	}

}
