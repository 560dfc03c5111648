package dev.mailroom.sdk;

/**
 * A standing. The API may add values.
 *
 * @param value the text in the API
 */
public record Standing(String value) {

	/** {@code healthy}. */
	public static final Standing HEALTHY = new Standing("healthy");

	/** {@code warning}. */
	public static final Standing WARNING = new Standing("warning");

	/** {@code risky}. */
	public static final Standing RISKY = new Standing("risky");

	@Override
	public String toString() {
		return this.value;
	}

}
