package dev.mailroom.api.http;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.pattern.PathPattern;

/** Resolves arguments of type {@link IdempotencyKey}. */
@Component
class IdempotencyKeyArguments implements HandlerMethodArgumentResolver, WebFluxConfigurer {

	/** Stands for every malformed id. */
	private static final String UNKNOWN_ID = "-";

	@Override
	public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
		configurer.addCustomResolver(this);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == IdempotencyKey.class;
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
		@Nullable String hash = exchange.getAttribute(IdempotencyFilter.BODY_HASH);
		List<String> values = exchange.getRequest().getHeaders().getOrDefault(IdempotencyFilter.HEADER, List.of());
		if (values.isEmpty() || hash == null) {
			return Mono.empty();
		}
		if (!IdempotencyKey.isUsable(exchange.getRequest().getHeaders())) {
			return Mono.error(InvalidRequest.on(exchange.getRequest())
				.because("Idempotency-Key must be one value of 1 to 256 printable characters"));
		}
		return Mono.just(new IdempotencyKey(route(exchange), values.getFirst(), hash));
	}

	/**
	 * Method and path of the matched route with its ids. The path of the request itself
	 * may have any length and several spellings.
	 */
	private static String route(ServerWebExchange exchange) {
		PathPattern pattern = exchange.getRequiredAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
		Map<String, String> variables = exchange.getAttributeOrDefault(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE,
				Map.of());
		String path = pattern.getPatternString();
		for (Map.Entry<String, String> variable : variables.entrySet()) {
			path = path.replace("{" + variable.getKey() + "}",
					Ids.read(variable.getValue()).map(UUID::toString).orElse(UNKNOWN_ID));
		}
		return exchange.getRequest().getMethod() + " " + path;
	}

}
