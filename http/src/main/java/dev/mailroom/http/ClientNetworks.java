package dev.mailroom.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

import dev.mailroom.account.ClientDevice;
import dev.mailroom.account.ClientNetwork;
import dev.mailroom.account.TrustedProxies;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Adds the client's network and device to the context of each request, for the limits of
 * sign-in and the list of sessions.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
class ClientNetworks implements WebFilter {

	private static final String FORWARDED_FOR = "X-Forwarded-For";

	private final TrustedProxies proxies;

	ClientNetworks(TrustedProxies proxies) {
		this.proxies = proxies;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		HttpHeaders headers = exchange.getRequest().getHeaders();
		boolean forwarded = headers.containsHeader(FORWARDED_FOR) || headers.containsHeader("Forwarded");
		return chain.filter(exchange)
			.contextWrite(ClientNetwork.context(client(exchange), forwarded))
			.contextWrite(ClientDevice.context(headers.getFirst(HttpHeaders.USER_AGENT)));
	}

	private @Nullable InetAddress client(ServerWebExchange exchange) {
		@Nullable InetSocketAddress peer = exchange.getRequest().getRemoteAddress();
		return (peer == null || peer.getAddress() == null) ? null : this.proxies.client(peer.getAddress(),
				exchange.getRequest().getHeaders().getOrDefault(FORWARDED_FOR, List.of()));
	}

}
