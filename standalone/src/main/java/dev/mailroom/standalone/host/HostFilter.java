package dev.mailroom.standalone.host;

import java.net.URI;
import java.nio.charset.StandardCharsets;

import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Refuses requests whose Host header does not name this machine, before anything else
 * handles them.
 *
 * @param publicHost host under which the app is published as well; empty for none
 */
public record HostFilter(String publicHost) implements WebFilter, Ordered {

	/**
	 * Returns the filter of an app; the admin app may be published by MAILROOM_APP_URL.
	 */
	public static HostFilter of(Environment environment) {
		URI url = URI.create(environment.getProperty("MAILROOM_APP_URL", ""));
		return new HostFilter((url.getRawAuthority() != null) ? url.getRawAuthority() : "");
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		String host = exchange.getRequest().getHeaders().getFirst(HttpHeaders.HOST);
		if (LocalNames.include(host) || (host != null && host.equalsIgnoreCase(this.publicHost))) {
			return chain.filter(exchange);
		}
		ServerHttpResponse response = exchange.getResponse();
		response.setStatusCode(HttpStatus.MISDIRECTED_REQUEST);
		response.getHeaders().setContentType(MediaType.TEXT_PLAIN);
		return response.writeWith(Mono
			.fromSupplier(() -> response.bufferFactory().wrap(LocalNames.REFUSAL.getBytes(StandardCharsets.UTF_8))));
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

}
