package dev.mailroom.spring;

import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;

/** Resolves parameters of {@link VerifiedWebhook} in Spring WebFlux. */
record ReactiveWebhooks(WebhookArguments arguments) implements HandlerMethodArgumentResolver, WebFluxConfigurer {

	@Override
	public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
		configurer.addCustomResolver(this);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return this.arguments.supports(parameter);
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
		return DataBufferUtils.join(exchange.getRequest().getBody(), WebhookArguments.MAX_BYTES)
			.map(ReactiveWebhooks::bytes)
			.defaultIfEmpty(new byte[0])
			.map((body) -> this.arguments.verify(body, exchange.getRequest().getHeaders()::getFirst));
	}

	private static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

}
