package dev.mailroom.sdk;

import java.util.List;

/**
 * An import result.
 *
 * @param count Number of contacts added.
 * @param updated Number of contacts updated.
 * @param failed Number of lines skipped.
 * @param errors The errors of the first skipped lines, about 100.
 */
public record ImportResult(String message, long count, long updated, long failed, List<ErrorItem> errors) {

	static ImportResult of(JsonObject json) {
		return new ImportResult(json.text("message"), json.integer("count"), json.integer("updated"),
				json.integer("failed"), json.list("errors", ErrorItem::of));
	}

	/**
	 * An entry of <code>errors</code>.
	 *
	 * @param line Line number, from 1, including the header.
	 */
	public record ErrorItem(long line, String field, String message) {

		static ErrorItem of(JsonObject json) {
			return new ErrorItem(json.integer("line"), json.text("field"), json.text("message"));
		}

	}

}
