package dev.mailroom.accept;

import dev.mailroom.idempotency.Idempotency;
import io.r2dbc.spi.R2dbcException;
import org.jspecify.annotations.Nullable;

/** What a failed commit says of the group that it was tried for. */
enum CommitFailure {

	/** One of the group's rows cannot be written: the others can. */
	A_ROW,

	/** One of the group's keys is held by a request that has not ended. */
	A_KEY,

	/** The database cannot be used, or nobody knows whether it committed. */
	THE_DATABASE;

	/** Reads the fault from PostgreSQL's own code for it (its manual, appendix A). */
	static CommitFailure of(Throwable error) {
		if (Idempotency.isHeld(error)) {
			return A_KEY;
		}
		String state = state(error);
		if (state == null) {
			return THE_DATABASE;
		}
		return switch (state.substring(0, 2)) {
			case "21", "22", "23", "40", "42", "44" -> A_ROW;
			default -> THE_DATABASE;
		};
	}

	private static @Nullable String state(Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			if (cause instanceof R2dbcException failure) {
				return failure.getSqlState();
			}
		}
		return null;
	}

}
