package dev.mailroom.sdk;

/**
 * Result of a check. <code>PASS</code>: passed. <code>FAIL</code>: failed.
 * <code>GRAY</code>: inconclusive. <code>PROCESSING_FAILED</code>: the check itself
 * failed; the mail is stored nevertheless. <code>DISABLED</code>: the check is not
 * configured. No mail is rejected because of a verdict; the application decides what to
 * do with it. The API may add values.
 *
 * @param value the text in the API
 */
public record Verdict(String value) {

	/** {@code PASS}. */
	public static final Verdict PASS = new Verdict("PASS");

	/** {@code FAIL}. */
	public static final Verdict FAIL = new Verdict("FAIL");

	/** {@code GRAY}. */
	public static final Verdict GRAY = new Verdict("GRAY");

	/** {@code PROCESSING_FAILED}. */
	public static final Verdict PROCESSING_FAILED = new Verdict("PROCESSING_FAILED");

	/** {@code DISABLED}. */
	public static final Verdict DISABLED = new Verdict("DISABLED");

	@Override
	public String toString() {
		return this.value;
	}

}
