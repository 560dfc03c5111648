package dev.mailroom.api.http;

import java.math.BigInteger;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.mailroom.FieldErrors;
import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;

/**
 * Resolves {@link PageSize} parameters from {@code page}, {@code limit} and, for lists
 * that support it, {@code cursor}.
 */
@Component
class Paging implements HandlerMethodArgumentResolver, WebFluxConfigurer {

	/** A number of digits, which may be too large for an int. */
	private static final Pattern DIGITS = Pattern.compile("\\d{10,}");

	@Override
	public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
		configurer.addCustomResolver(this);
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.hasParameterAnnotation(PageSize.class);
	}

	@Override
	public Mono<Object> resolveArgument(MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
		PageSize size = Objects.requireNonNull(parameter.getParameterAnnotation(PageSize.class));
		FieldErrors errors = new FieldErrors();
		int page = number(errors, exchange, "page", 1, Integer.MAX_VALUE);
		int limit = number(errors, exchange, "limit", size.defaultLimit(), size.maxLimit());
		Page.@Nullable Cursor cursor = size.cursor() ? cursor(errors, exchange) : null;
		return Mono.fromCallable(() -> {
			errors.refuseIfAny();
			return new Page.Request(page, limit, cursor);
		});
	}

	private static Page.@Nullable Cursor cursor(FieldErrors errors, ServerWebExchange exchange) {
		@Nullable String text = exchange.getRequest().getQueryParams().getFirst("cursor");
		if (text != null && text.isEmpty()) {
			return Page.Cursor.START;
		}
		Optional<Page.Cursor> cursor = Optional.ofNullable(text).flatMap(Page.Cursor::parse);
		if (text != null && cursor.isEmpty()) {
			errors.add("cursor", "must be the next_cursor of a page of this list");
		}
		return cursor.orElse(null);
	}

	private static int number(FieldErrors errors, ServerWebExchange exchange, String name, int defaultValue, int max) {
		@Nullable String text = exchange.getRequest().getQueryParams().getFirst(name);
		if (text == null) {
			return defaultValue;
		}
		try {
			int number = (max == Integer.MAX_VALUE && DIGITS.matcher(text).matches()) ? saturated(text)
					: Integer.parseInt(text);
			if (number >= 1 && number <= max) {
				return number;
			}
		}
		catch (NumberFormatException _) {
			// Refused below, like a number out of range.
		}
		errors.add(name, "must be a whole number from 1" + ((max < Integer.MAX_VALUE) ? " to " + max : ""));
		return defaultValue;
	}

	/** A page any distance past the end is empty, so the largest number stands for it. */
	private static int saturated(String digits) {
		return new BigInteger(digits).min(BigInteger.valueOf(Integer.MAX_VALUE)).intValue();
	}

}
