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

/** How many mails a minute one client may bring: a flood of one is no flood for all. */
@Component
class InboundRate {

	private static final int MOST_CLIENTS = 100_000;

	/** The part of an IPv6 address that names a network of one owner, in bytes. */
	private static final int NETWORK = 8;

	private final Cache<String, AtomicInteger> brought = Caffeine.newBuilder()
		.expireAfterWrite(Duration.ofMinutes(1))
		.maximumSize(MOST_CLIENTS)
		.build();

	private final InboundSettings settings;

	InboundRate(InboundSettings settings) {
		this.settings = settings;
	}

	/** Counts another mail, and says whether it may come now. */
	boolean allows(InetAddress client) {
		byte[] whole = client.getAddress();
		String owner = HexFormat.of()
			.formatHex((client instanceof Inet6Address) ? Arrays.copyOf(whole, NETWORK) : whole);
		int count = this.brought.get(owner, (_) -> new AtomicInteger()).incrementAndGet();
		return this.settings.pace() == 0 || count <= this.settings.pace();
	}

}
