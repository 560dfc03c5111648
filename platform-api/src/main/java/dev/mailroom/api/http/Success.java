package dev.mailroom.api.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of most responses: {@code {success: true, data: {…}}}.
 *
 * @param message a sentence for people; omitted if null
 */
public record Success(boolean success, Object data,
		@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String message) {

	/** A response with one resource under its name. */
	public static Success of(String name, Object resource) {
		return data(Map.of(name, resource));
	}

	/** A response with a page of resources under their name and its pagination. */
	public static Success list(String name, Page<?> page) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put(name, page.items());
		data.put("pagination", Pagination.of(page));
		return data(data);
	}

	/** The response to the deletion of a resource. */
	public static Success deleted(UUID id) {
		return data(new Deleted(id, true));
	}

	/** A response with other data. */
	public static Success data(Object data) {
		return new Success(true, data, null);
	}

	/** A copy of this response with a message. */
	public Success withMessage(String message) {
		return new Success(true, this.data, message);
	}

	record Deleted(UUID id, boolean deleted) {
	}

	/**
	 * The position of a page in its list.
	 *
	 * @param nextCursor the cursor of the next page; omitted on the last page and for
	 * lists without cursors
	 */
	record Pagination(int page, int limit, long total, @JsonProperty("totalPages") long totalPages,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String nextCursor) {

		static Pagination of(Page<?> page) {
			return new Pagination(page.request().page(), page.request().limit(), page.total(), page.totalPages(),
					(page.next() != null) ? page.next().text() : null);
		}

	}

}
