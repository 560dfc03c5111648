package dev.mailroom.database;

import java.sql.SQLException;

import io.r2dbc.spi.R2dbcException;
import org.jspecify.annotations.Nullable;

/** SQLSTATE codes of errors of both drivers. */
public final class SqlState {

	/** Code of a lock that was not free in time. */
	public static final String LOCK_NOT_AVAILABLE = "55P03";

	/** Length of the class of a code, its first part. */
	private static final int CLASS_LENGTH = 2;

	private SqlState() {
	}

	/** The code of the error or of one of its causes; empty if the server sent none. */
	public static String of(Throwable error) {
		for (@Nullable
		Throwable cause = error; cause != null; cause = cause.getCause()) {
			@Nullable String state = switch (cause) {
				case R2dbcException refusal -> refusal.getSqlState();
				case SQLException refusal -> refusal.getSQLState();
				default -> null;
			};
			if (state != null) {
				return state;
			}
		}
		return "";
	}

	/** The class of a code: its first two characters, or less of a shorter one. */
	public static String classOf(String state) {
		return state.substring(0, Math.min(CLASS_LENGTH, state.length()));
	}

}
