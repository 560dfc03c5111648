package dev.mailroom.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Limits the clients of a port for health and metrics. It applies to each app that has
 * one beside its own port; an app whose only port it is imports this class.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
public class ManagementPort {

	/** Monitoring has few clients, and their requests have no body. */
	private static final ConnectionSettings LIMITS = new ConnectionSettings(100, 0, Duration.ofSeconds(60),
			Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofSeconds(30));

	private static final Pattern LOCAL = Pattern.compile("(?i)(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1])(:\\d+)?");

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	WebFilter localManagementFilter() {
		return ManagementPort::refuseOtherNames;
	}

	/**
	 * A connection serves one request. The server would answer further ones of a client
	 * that reads nothing, and their responses are not counted as memory.
	 */
	@Bean
	WebServerFactoryCustomizer<NettyReactiveWebServerFactory> managementConnections() {
		return (factory) -> {
			new ServerConnections(LIMITS).customize(factory);
			factory.addServerCustomizers((server) -> server.maxKeepAliveRequests(1));
		};
	}

	/**
	 * Refuses requests to a loopback address that name another host. A page of another
	 * site whose name was made to resolve to this machine (DNS rebinding) sends its own
	 * name.
	 */
	private static Mono<Void> refuseOtherNames(ServerWebExchange exchange, WebFilterChain chain) {
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
