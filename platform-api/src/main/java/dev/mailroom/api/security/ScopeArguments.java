package dev.mailroom.api.security;

import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.http.CallerToken;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;

/**
 * Resolves the parameters {@code Caller} and {@code Scope} of a route to the caller and
 * its scope. A route that is public by mistake is still refused, because there is no
 * caller.
 */
@Component
class ScopeArguments implements HandlerMethodArgumentResolver, WebFluxConfigurer {

	@Override
	public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
		configurer.addCustomResolver(this);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType().equals(Scope.class) || parameter.getParameterType().equals(Caller.class);
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
		return ReactiveSecurityContextHolder.getContext()
			.mapNotNull((context) -> context.getAuthentication())
			.ofType(CallerToken.class)
			.<Object>map((token) -> parameter.getParameterType().equals(Caller.class) ? token.caller()
					: token.caller().scope())
			.switchIfEmpty(Mono.error(SecurityResponses::unauthorized));
	}

}
