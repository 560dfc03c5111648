package dev.mailroom.database;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Reports {@link NotDurable} at the start of an app by its message, without a stack
 * trace.
 */
class NotDurableAnalyzer extends AbstractFailureAnalyzer<NotDurable> {

	@Override
	protected FailureAnalysis analyze(Throwable failure, NotDurable cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
	}

}
