package dev.mailroom.api.contact;

import java.util.List;

/**
 * The response to an import.
 *
 * @param count number of contacts added
 * @param updated number of contacts updated
 * @param failed number of lines skipped
 * @param errors the errors of the first skipped lines
 */
record ImportResult(String message, long count, long updated, long failed, List<LineError> errors) {

	/**
	 * An error in a line.
	 *
	 * @param line number of the line, counted from 1 with the header
	 */
	record LineError(long line, String field, String message) {
	}

}
