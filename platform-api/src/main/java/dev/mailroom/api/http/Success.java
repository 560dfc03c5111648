package dev.mailroom.api.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * The envelope that most answers come in: {@code {success: true, data: {…}}}.
 *
 * @param message a sentence for people; left out where there is none
 */
public record Success(boolean success, Object data,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String message) {

	/** One thing under its name. */
	public static Success of(String name, Object thing) {
		return data(Map.of(name, thing));
	}

	/** A page of things under their name, with where it stands among the pages. */
	public static Success list(String name, Page<?> page) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put(name, page.items());
		data.put("pagination", Pagination.of(page));
		return data(data);
	}

	/** What was deleted. */
	public static Success deleted(UUID id) {
		return data(new Deleted(id, true));
	}

	/** Anything else. */
	public static Success data(Object data) {
		return new Success(true, data, null);
	}

	/** The same, with a sentence. */
	public Success saying(String message) {
		return new Success(true, this.data, message);
	}

	record Deleted(UUID id, boolean deleted) {
	}

	/**
	 * Where a page stands.
	 *
	 * @param nextCursor how to read on; left out where the list ends or takes no cursor
	 */
	record Pagination(int page, int limit, long total, @JsonProperty("totalPages") long totalPages,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String nextCursor) {

		static Pagination of(Page<?> page) {
			return new Pagination(page.request().page(), page.request().limit(), page.total(), page.totalPages(),
					(page.next() != null) ? page.next().text() : null);
		}

	}

}
