package dev.mailroom.api.http;

import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTimeoutException;
import io.r2dbc.spi.R2dbcTransientResourceException;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/**
 * Tells a database that is away from a fault of ours: the one heals, and the other stays.
 */
final class DatabaseOutage {

	private DatabaseOutage() {
	}

	/** Whether this error says that the database cannot be used at present. */
	static boolean is(Throwable error) {
		return error instanceof DataAccessResourceFailureException || error instanceof TransientDataAccessException
				|| error instanceof CannotCreateTransactionException
				|| error instanceof R2dbcNonTransientResourceException
				|| error instanceof R2dbcTransientResourceException || error instanceof R2dbcTimeoutException;
	}

}
