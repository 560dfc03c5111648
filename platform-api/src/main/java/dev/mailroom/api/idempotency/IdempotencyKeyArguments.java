package dev.mailroom.api.idempotency;

import java.util.List;

import dev.mailroom.api.http.InvalidRequest;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;

/** Resolves arguments of type {@link IdempotencyKey}. */
@Component
class IdempotencyKeyArguments implements HandlerMethodArgumentResolver, WebFluxConfigurer {

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

	private static String route(ServerWebExchange exchange) {
		return exchange.getRequest().getMethod() + " " + exchange.getRequest().getPath().value();
	}

}
