package dev.mailroom.api.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
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
 * Reads {@code page} and {@code limit} of a list's request, and {@code cursor} where the
 * list takes one.
 */
@Component
class Paging implements HandlerMethodArgumentResolver, WebFluxConfigurer {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	/** So far that no list reaches it, and no offset overflows. */
	private static final int LAST_PAGE = 10_000_000;

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
		List<Refusal.Detail> wrong = new ArrayList<>();
		int page = number(wrong, exchange, "page", 1, LAST_PAGE);
		int limit = number(wrong, exchange, "limit", size.usual(), size.most());
		Page.@Nullable Cursor cursor = size.cursor() ? cursor(wrong, exchange) : null;
		if (!wrong.isEmpty()) {
			return Mono.error(INVALID.because(wrong.getFirst().field() + " " + wrong.getFirst().message(), wrong));
		}
		return Mono.just(new Page.Request(page, limit, cursor));
	}

	private static Page.@Nullable Cursor cursor(List<Refusal.Detail> wrong, ServerWebExchange exchange) {
		@Nullable String text = exchange.getRequest().getQueryParams().getFirst("cursor");
		Optional<Page.Cursor> cursor = Optional.ofNullable(text).flatMap(Page.Cursor::parse);
		if (text != null && cursor.isEmpty()) {
			wrong.add(new Refusal.Detail("cursor", "must be the next_cursor of a page of this list"));
		}
		return cursor.orElse(null);
	}

	private static int number(List<Refusal.Detail> wrong, ServerWebExchange exchange, String name, int usual,
			int most) {
		@Nullable String text = exchange.getRequest().getQueryParams().getFirst(name);
		if (text == null) {
			return usual;
		}
		try {
			int number = Integer.parseInt(text);
			if (number >= 1 && number <= most) {
				return number;
			}
		}
		catch (NumberFormatException _) {
			// Refused below, like a number out of range.
		}
		wrong.add(new Refusal.Detail(name, "must be a whole number from 1 to " + most));
		return usual;
	}

}
