package dev.mailroom.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import dev.mailroom.ClientDevice;
import dev.mailroom.ClientNetwork;
import dev.mailroom.account.TrustedProxies;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Adds the client's address to each exchange, and its network and device to the context,
 * for the limits of memory and of sign-in and for the list of sessions.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
public class ClientNetworks implements WebFilter {

	private static final String FORWARDED_FOR = "X-Forwarded-For";

	/** The key of the client's address in the exchange. */
	private static final String CLIENT = ClientNetworks.class.getName();

	private final TrustedProxies proxies;

	ClientNetworks(TrustedProxies proxies) {
		this.proxies = proxies;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		exchange.getAttributes().put(CLIENT, Optional.ofNullable(find(exchange.getRequest())));
		return chain.filter(exchange).contextWrite(context(exchange.getRequest()));
	}

	/** Adds the network and the device of a request's client to the Reactor context. */
	public Function<Context, Context> context(ServerHttpRequest request) {
		HttpHeaders headers = request.getHeaders();
		boolean forwarded = headers.containsHeader(FORWARDED_FOR) || headers.containsHeader("Forwarded");
		return ClientNetwork.context(find(request), forwarded)
			.andThen(ClientDevice.context(headers.getFirst(HttpHeaders.USER_AGENT)));
	}

	/** The client of a request; null if it is unknown. */
	static @Nullable InetAddress client(ServerWebExchange exchange) {
		Optional<InetAddress> client = exchange.getAttributeOrDefault(CLIENT, Optional.empty());
		return client.orElse(null);
	}

	private @Nullable InetAddress find(ServerHttpRequest request) {
		@Nullable InetSocketAddress peer = request.getRemoteAddress();
		return (peer == null || peer.getAddress() == null) ? null
				: this.proxies.client(peer.getAddress(), request.getHeaders().getOrDefault(FORWARDED_FOR, List.of()));
	}

}
