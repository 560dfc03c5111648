package dev.mailroom.http;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
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
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Limits the clients of a port for health and metrics. It applies to each app that has
 * one beside its own port; an app whose only port it is imports this class.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
public class ManagementPort {

	/** Monitoring has few clients, and their requests have at most a small body. */
	private static final ConnectionSettings LIMITS = new ConnectionSettings(100, 0, Duration.ofSeconds(60),
			Duration.ofSeconds(30), Duration.ofMinutes(1), Duration.ofSeconds(30));

	private static final Pattern LOCAL = Pattern.compile("(?i)(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1])(:\\d+)?");

	/** Clients elsewhere than on this machine only read. */
	private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	WebFilter localManagementFilter() {
		return ManagementPort::refuse;
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

	private static Mono<Void> refuse(ServerWebExchange exchange, WebFilterChain chain) {
		ServerHttpRequest request = exchange.getRequest();
		if (isLoopback(request.getLocalAddress()) && !isLocal(request.getHeaders().getFirst(HttpHeaders.HOST))) {
			return refused(exchange, HttpStatus.MISDIRECTED_REQUEST);
		}
		if (!isLoopback(request.getRemoteAddress()) && !READING.contains(request.getMethod())) {
			return refused(exchange, HttpStatus.METHOD_NOT_ALLOWED);
		}
		return chain.filter(exchange);
	}

	private static Mono<Void> refused(ServerWebExchange exchange, HttpStatus status) {
		exchange.getResponse().setStatusCode(status);
		return exchange.getResponse().setComplete();
	}

	private static boolean isLoopback(@Nullable InetSocketAddress address) {
		return address != null && address.getAddress() != null && address.getAddress().isLoopbackAddress();
	}

	/**
	 * Whether a request to a loopback address names this machine. A page of another site
	 * whose name was made to resolve to it (DNS rebinding) sends its own name.
	 */
	private static boolean isLocal(@Nullable String host) {
		return host != null && LOCAL.matcher(host).matches();
	}

}
