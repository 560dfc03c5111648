package dev.mailroom;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Refusal of a setting at the start of an app. The message names the environment
 * variable, its value and what is allowed.
 */
public class WrongSetting extends IllegalStateException {

	private static final long serialVersionUID = 1;

	/**
	 * Refuses a value.
	 * @param variable name of the environment variable
	 * @param value the value as it was given
	 * @param allowed noun phrase that describes the allowed values
	 */
	public WrongSetting(String variable, String value, String allowed) {
		super("%s is \"%s\", but it must be %s.".formatted(variable, value, allowed));
	}

	/**
	 * Refuses a secret or a combination.
	 * @param message sentences that name the variable and say what to do
	 */
	public WrongSetting(String message) {
		super(message);
	}

	/** Reports the refusal by its message, without a stack trace. */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class Analyzer extends AbstractFailureAnalyzer<WrongSetting> {

		@Override
		protected FailureAnalysis analyze(Throwable failure, WrongSetting cause) {
			return new FailureAnalysis(String.valueOf(cause.getMessage()), null, cause);
		}

	}

}
