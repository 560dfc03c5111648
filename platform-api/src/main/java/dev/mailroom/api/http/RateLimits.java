package dev.mailroom.api.http;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.http.AccountRates;
import dev.mailroom.mail.accept.Quotas;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
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

	private static final Set<HttpStatusCode> RESERVED = Set.of(HttpStatus.OK, HttpStatus.TOO_MANY_REQUESTS);

	private final AccountRates rates;

	private final Quotas quotas;

	private final Clock clock;

	RateLimits(AccountRates rates, Quotas quotas, Clock clock) {
		this.rates = rates;
		this.quotas = quotas;
		this.clock = clock;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return exchange.<Authentication>getPrincipal()
			.mapNotNull(Authentication::getPrincipal)
			.ofType(UUID.class)
			.doOnNext((account) -> consume(account, isSend(exchange.getRequest()), exchange.getResponse()))
			.then(Mono.defer(() -> chain.filter(exchange)));
	}

	/**
	 * Counts a request.
	 * @param send whether it is a request to send
	 * @param response receives the RateLimit header fields; that of a request to send
	 * also what it left of the quotas
	 * @throws dev.mailroom.Refused {@code Rate limit exceeded}
	 */
	public void consume(UUID account, boolean send, ServerHttpResponse response) {
		HttpHeaders headers = response.getHeaders();
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
		if (send) {
			response.beforeCommit(() -> {
				addQuotas(account, response);
				return Mono.empty();
			});
		}
	}

	private void addQuotas(UUID account, ServerHttpResponse response) {
		HttpHeaders headers = response.getHeaders();
		if (!RESERVED.contains(response.getStatusCode()) || headers.containsHeader(IdempotencyFilter.REPLAYED)) {
			return;
		}
		for (Quotas.Left quota : this.quotas.left(account)) {
			String name = "\"" + quota.period() + "\"";
			append(headers, "RateLimit-Policy",
					name + ";q=" + quota.limit() + ";w=" + Duration.between(quota.from(), quota.to()).toSeconds());
			long reset = Math.max(0, Duration.between(this.clock.instant(), quota.to()).toSeconds());
			append(headers, "RateLimit", name + ";r=" + quota.left() + ";t=" + reset);
		}
	}

	private static void append(HttpHeaders headers, String field, String member) {
		@Nullable String first = headers.getFirst(field);
		headers.set(field, (first != null) ? first + ", " + member : member);
	}

	private static boolean isSend(ServerHttpRequest request) {
		return request.getMethod().equals(HttpMethod.POST)
				&& SENDS.stream().anyMatch((route) -> route.matches(request.getPath().pathWithinApplication()));
	}

}
