package dev.mailroom.api.contact;

import java.util.List;

/**
 * The answer to an import.
 *
 * @param count how many contacts were added
 * @param updated how many were there and were updated
 * @param failed how many lines were passed over
 * @param errors why, for the first of them
 */
record ImportResult(String message, long count, long updated, long failed, List<LineError> errors) {

	/**
	 * What is wrong with a line.
	 *
	 * @param line counted from 1, the first line included
	 */
	record LineError(long line, String field, String message) {
	}

}
