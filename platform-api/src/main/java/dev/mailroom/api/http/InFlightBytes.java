package dev.mailroom.api.http;

import java.util.UUID;

import dev.mailroom.http.BodyMemory;
import dev.mailroom.http.MemoryOwner;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Limits the size of each request body, and counts it as memory of its owner until its
 * response is complete. Runs after authentication and rate limits.
 */
@Component
@Order(2)
public class InFlightBytes implements WebFilter {

	private static final DataSize MAX_BODY = DataSize.ofMegabytes(25);

	/** Limit on a body without a credential: that of a sign-in or an unsubscription. */
	private static final DataSize MAX_PUBLIC_BODY = DataSize.ofKilobytes(16);

	/** Limit on a message of the Model Context Protocol. */
	private static final DataSize MAX_MESSAGE = DataSize.ofMegabytes(1);

	private static final PathPattern MCP = PathPatternParser.defaultInstance.parse("/mcp");

	private static final PathPattern IMPORT = PathPatternParser.defaultInstance
		.parse("/api/contact-books/{book}/contacts/import");

	private final BodyMemory memory;

	InFlightBytes(BodyMemory memory) {
		this.memory = memory;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		if (!hasBody(exchange.getRequest().getHeaders()) || isStreamed(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		return MemoryOwner.of(exchange).flatMap((owner) -> filter(exchange, chain, owner));
	}

	private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, MemoryOwner owner) {
		DataSize ofAccounts = MCP.matches(exchange.getRequest().getPath().pathWithinApplication()) ? MAX_MESSAGE
				: MAX_BODY;
		BodyMemory.Hold hold = this.memory.hold(owner, owner.isAccount() ? ofAccounts : MAX_PUBLIC_BODY);
		hold.requirePermitted(exchange.getRequest().getHeaders().getContentLength());
		return chain.filter(exchange.mutate().request(counted(exchange.getRequest(), hold)).build())
			.doFinally((_) -> hold.release());
	}

	/** The memory of a request of an account, none before its body arrives. */
	public BodyMemory.Hold hold(UUID account) {
		return this.memory.hold(MemoryOwner.of(account), MAX_BODY);
	}

	private static boolean hasBody(HttpHeaders headers) {
		return headers.getContentLength() > 0 || headers.containsHeader(HttpHeaders.TRANSFER_ENCODING);
	}

	/**
	 * Whether the body is processed in pieces: an import, unless it has an
	 * Idempotency-Key, which requires the whole body for comparison.
	 */
	private static boolean isStreamed(ServerHttpRequest request) {
		return HttpMethod.POST.equals(request.getMethod()) && !request.getHeaders().containsHeader("Idempotency-Key")
				&& IMPORT.matches(request.getPath().pathWithinApplication());
	}

	private static ServerHttpRequest counted(ServerHttpRequest request, BodyMemory.Hold hold) {
		return new ServerHttpRequestDecorator(request) {
			@Override
			public Flux<DataBuffer> getBody() {
				return hold.counted(super.getBody());
			}
		};
	}

}
