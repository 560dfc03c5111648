package dev.mailroom.admin.graphql;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import graphql.schema.DataFetchingEnvironment;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.graphql.data.method.HandlerMethodArgumentResolver;
import org.springframework.stereotype.Component;

/**
 * The arguments {@code first} and {@code after} of a list.
 *
 * @param first the number of items
 * @param after the cursor after which the page begins; null for the beginning
 */
public record PageArguments(int first, @Nullable String after) {

	/** Largest number of items of a page. */
	public static final int MAX_FIRST = 100;

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private static final String POSITION = "position:";

	/** A page of a list that is sorted by creation time and id. */
	public Page.Request byCursor() {
		return new Page.Request(1, this.first,
				(this.after == null) ? null : Page.Cursor.parse(this.after).orElseThrow(PageArguments::badCursor));
	}

	/** A page of a list without cursors of its own. */
	public Page.Request byPosition() {
		return (this.after == null) ? new Page.Request(1, this.first)
				: Page.Request.after(position(this.after), this.first);
	}

	/** The cursor of the item with this position, counted from 1. */
	static String cursor(long position) {
		return Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString((POSITION + position).getBytes(StandardCharsets.UTF_8));
	}

	private static long position(String cursor) {
		try {
			String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
			int position = text.startsWith(POSITION) ? Integer.parseInt(text.substring(POSITION.length())) : -1;
			if (position >= 0) {
				return position;
			}
		}
		catch (IllegalArgumentException _) {
			// Refused below, like a negative position.
		}
		throw badCursor();
	}

	/** The refusal of a cursor that is not one of the list's. */
	public static Refused badCursor() {
		return invalid("after", "must be a cursor of this list");
	}

	private static Refused invalid(String field, String message) {
		return INVALID.because(field + " " + message, List.of(new Refusal.Detail(field, message)));
	}

	/** Resolves parameters of this type. */
	@Component
	static class Resolver implements HandlerMethodArgumentResolver {

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == PageArguments.class;
		}

		@Override
		public Object resolveArgument(MethodParameter parameter, DataFetchingEnvironment environment) {
			int first = environment.<Integer>getArgumentOrDefault("first", MAX_FIRST);
			if (first < 1 || first > MAX_FIRST) {
				throw invalid("first", "must be a whole number from 1 to " + MAX_FIRST);
			}
			return new PageArguments(first, environment.getArgument("after"));
		}

	}

}
