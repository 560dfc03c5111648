package dev.mailroom.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Refuses requests to a management port on a loopback address that name another host. A
 * page of another site whose name was made to resolve to this machine (DNS rebinding)
 * sends its own name.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LocalManagement implements WebFilter {

	private static final Pattern LOCAL = Pattern.compile("(?i)(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1])(:\\d+)?");

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		@Nullable InetSocketAddress local = exchange.getRequest().getLocalAddress();
		@Nullable InetAddress address = (local != null) ? local.getAddress() : null;
		@Nullable String host = exchange.getRequest().getHeaders().getFirst(HttpHeaders.HOST);
		if (address != null && address.isLoopbackAddress() && (host == null || !LOCAL.matcher(host).matches())) {
			exchange.getResponse().setStatusCode(HttpStatus.MISDIRECTED_REQUEST);
			return exchange.getResponse().setComplete();
		}
		return chain.filter(exchange);
	}

}
