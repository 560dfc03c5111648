package dev.mailroom.http;

import java.net.InetAddress;
import java.util.List;
import java.util.UUID;

import dev.mailroom.ClientNetwork;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.security.core.Authentication;
import org.springframework.web.server.ServerWebExchange;

/**
 * Owner of memory: the account of a request, or the network of a client without a
 * credential. All clients without a credential together have half of the memory.
 *
 * @param guaranteed bytes that this owner may use even if others use all memory
 * @param own its own share of the memory
 * @param larger shares that it has together with others
 */
public record MemoryOwner(long guaranteed, Share own, List<Share> larger) {

	/** Enough for the requests that an account makes one after another. */
	private static final long GUARANTEED_TO_ACCOUNT = 64 * 1024;

	/** Enough for a few sign-ins at once. */
	private static final long GUARANTEED_TO_NETWORK = 4 * 1024;

	private static final Share PUBLIC = new Share("public", 2);

	/** The account as owner. */
	public static MemoryOwner of(UUID account) {
		return new MemoryOwner(GUARANTEED_TO_ACCOUNT, new Share(account, 2), List.of());
	}

	/**
	 * The network of a client as owner: its address, or its /64 of IPv6 within a /48.
	 * @param client null if it is unknown
	 */
	static MemoryOwner of(@Nullable InetAddress client) {
		String network = (client != null) ? ClientNetwork.text(client) : "";
		String site = (client != null) ? ClientNetwork.site(client) : "";
		return new MemoryOwner(GUARANTEED_TO_NETWORK, new Share(network, 8),
				site.equals(network) ? List.of(PUBLIC) : List.of(new Share(site, 4), PUBLIC));
	}

	/** The owner of the memory of a request. Authentication has taken place. */
	public static Mono<MemoryOwner> of(ServerWebExchange exchange) {
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.map(MemoryOwner::of)
			.switchIfEmpty(Mono.fromSupplier(() -> of(ClientNetworks.client(exchange))));
	}

	/** Whether the owner has a credential. */
	public boolean isAccount() {
		return this.larger.isEmpty();
	}

	/**
	 * Share of the memory.
	 *
	 * @param key the account, network or site that has it
	 * @param divisor the part of all memory, as one divided by this
	 */
	record Share(Object key, int divisor) {
	}

}
