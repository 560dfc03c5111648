package dev.mailroom.api.http;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.http.AccountRates;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.core.Authentication;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Limits the requests of each account, and adds the RateLimit header fields of
 * draft-ietf-httpapi-ratelimit-headers-06 and of its successors to each response. Runs
 * after authentication and before the body is read.
 */
@Component
@Order(1)
public class RateLimits implements WebFilter {

	/**
	 * Matched as routes are: another spelling of a path has the same limit.
	 */
	private static final List<PathPattern> SENDS = Stream
		.of("/api/emails", "/api/emails/batch", "/api/emails/mime", "/compat/resend/emails",
				"/compat/resend/emails/batch")
		.map(PathPatternParser.defaultInstance::parse)
		.toList();

	private static final Duration ALMOST_A_SECOND = Duration.ofSeconds(1).minusNanos(1);

	private final AccountRates rates;

	RateLimits(AccountRates rates) {
		this.rates = rates;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.doOnNext((account) -> consume(account, isSend(exchange.getRequest()), exchange.getResponse().getHeaders()))
			.then(Mono.defer(() -> chain.filter(exchange)));
	}

	/**
	 * Counts a request.
	 * @param send whether it is a request to send
	 * @param headers receives the RateLimit header fields
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded}
	 */
	public void consume(UUID account, boolean send, HttpHeaders headers) {
		this.rates.consume(account, send, 1).ifPresent((rate) -> {
			headers.set("RateLimit-Limit", Integer.toString(rate.burst()));
			headers.set("RateLimit-Remaining", Long.toString(rate.remaining()));
			long reset = rate.reset().plus(ALMOST_A_SECOND).toSeconds();
			headers.set("RateLimit-Reset", Long.toString(reset));
			String name = send ? "\"send\"" : "\"request\"";
			int window = (rate.burst() + rate.perSecond() - 1) / rate.perSecond();
			headers.set("RateLimit-Policy", name + ";q=" + rate.burst() + ";w=" + window);
			headers.set("RateLimit", name + ";r=" + rate.remaining() + ";t=" + reset);
			rate.require();
		});
	}

	private static boolean isSend(ServerHttpRequest request) {
		return request.getMethod().equals(HttpMethod.POST)
				&& SENDS.stream().anyMatch((route) -> route.matches(request.getPath().pathWithinApplication()));
	}

}
