package dev.mailroom.spring;

import java.io.IOException;
import java.util.List;
import java.util.Objects;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Resolves parameters of {@link VerifiedWebhook} in Spring MVC. */
record ServletWebhooks(WebhookArguments arguments) implements HandlerMethodArgumentResolver, WebMvcConfigurer {

	@Override
	public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
		resolvers.add(this);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return this.arguments.supports(parameter);
	}

	@Override
	public Object resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
			NativeWebRequest web, @Nullable WebDataBinderFactory binders) throws IOException {
		HttpServletRequest request = Objects.requireNonNull(web.getNativeRequest(HttpServletRequest.class));
		return this.arguments.verify(request.getInputStream().readNBytes(WebhookArguments.MAX_BYTES + 1),
				request::getHeader);
	}

}
