package dev.mailroom.admin.graphql;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import graphql.schema.DataFetchingEnvironment;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.graphql.data.method.HandlerMethodArgumentResolver;
import org.springframework.stereotype.Component;

/**
 * The arguments {@code first} and {@code after} of a list, or {@code last} and
 * {@code before}, which the feed of events does not have. Lists with cursors of their own
 * permit {@code last} alone, for their end.
 *
 * @param first the number of items
 * @param after the cursor after which the page begins; null for the beginning
 * @param last the number of items of a page that ends before a cursor; null for
 * {@code first}
 * @param before the cursor before which the page ends; null for the arguments above
 */
public record PageArguments(int first, @Nullable String after, @Nullable Integer last, @Nullable String before) {

	/** Largest number of items of a page. */
	public static final int MAX_FIRST = 100;

	private static final String POSITION = "position:";

	/** A page of a list that is sorted by creation time and id. */
	public Page.Request byCursor() {
		if (this.before != null) {
			checkBackward();
			return Page.Request.before(cursor(this.before, "before"), backwardSize());
		}
		if (this.last != null && this.after == null) {
			return Page.Request.last(this.last);
		}
		checkForward();
		return new Page.Request(1, this.first, (this.after != null) ? cursor(this.after, "after") : null);
	}

	/** A page of a list without cursors of its own. */
	public Page.Request byPosition() {
		if (this.before != null) {
			return before(position(this.before, "before") - 1);
		}
		checkForward();
		return (this.after == null) ? new Page.Request(1, this.first)
				: Page.Request.after(position(this.after, "after"), this.first);
	}

	/** The page that ends with the item at a position. */
	private Page.Request before(long end) {
		checkBackward();
		int size = (int) Math.max(0, Math.min(end, backwardSize()));
		return Page.Request.after(Math.max(0, end) - size, size);
	}

	private void checkForward() {
		if (this.last != null) {
			throw invalid("last", "needs before, the cursor that follows the page");
		}
	}

	private void checkBackward() {
		if (this.after != null) {
			throw invalid("before", "cannot be given with after");
		}
	}

	private int backwardSize() {
		return (this.last != null) ? this.last : this.first;
	}

	private static Page.Cursor cursor(String text, String argument) {
		return Page.Cursor.parse(text).orElseThrow(() -> badCursor(argument));
	}

	/** The cursor of the item with this position, counted from 1. */
	static String cursor(long position) {
		return Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString((POSITION + position).getBytes(StandardCharsets.UTF_8));
	}

	private static long position(String cursor, String argument) {
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
		throw badCursor(argument);
	}

	/** The refusal of a cursor that is not one of the list's. */
	public static Refused badCursor() {
		return badCursor("after");
	}

	private static Refused badCursor(String argument) {
		return invalid(argument, "must be a cursor of this list");
	}

	private static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
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
			check("first", first);
			@Nullable Integer last = environment.getArgument("last");
			if (last != null) {
				check("last", last);
			}
			return new PageArguments(first, environment.getArgument("after"), last, environment.getArgument("before"));
		}

		private static void check(String argument, int size) {
			if (size < 1 || size > MAX_FIRST) {
				throw invalid(argument, "must be a whole number from 1 to " + MAX_FIRST);
			}
		}

	}

}
