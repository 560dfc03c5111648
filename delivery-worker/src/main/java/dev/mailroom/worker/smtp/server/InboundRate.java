package dev.mailroom.worker.smtp.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.account.ClientNetwork;

import org.springframework.stereotype.Component;

/** Limit on the mails that one client may send per minute. */
@Component
class InboundRate {

	private static final int MAX_CLIENTS = 100_000;

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
		int ofNetwork = count(ClientNetwork.text(client));
		// A site has no count of its own if it is an address of IPv4.
		int ofSite = (client instanceof Inet6Address) ? count(ClientNetwork.site(client)) : ofNetwork;
		return this.settings.pace() == 0 || (ofNetwork <= this.settings.pace()
				&& ofSite <= (long) this.settings.pace() * ClientNetwork.SITE_FACTOR);
	}

	private int count(String network) {
		return this.counts.get(network, (_) -> new AtomicInteger()).incrementAndGet();
	}

}
