package dev.mailroom.schema;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says it in the sentence alone where an app is started by itself. */
class NotDurableAnalyzer extends AbstractFailureAnalyzer<NotDurable> {

	@Override
	protected FailureAnalysis analyze(Throwable failure, NotDurable cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
	}

}
