package dev.mailroom.sdk;

/**
 * A suppression reason. The API may add values.
 *
 * @param value the text in the API
 */
public record SuppressionReason(String value) {

	/** {@code hard_bounce}. */
	public static final SuppressionReason HARD_BOUNCE = new SuppressionReason("hard_bounce");

	/** {@code complaint}. */
	public static final SuppressionReason COMPLAINT = new SuppressionReason("complaint");

	/** {@code unsubscribe}. */
	public static final SuppressionReason UNSUBSCRIBE = new SuppressionReason("unsubscribe");

	/** {@code manual}. */
	public static final SuppressionReason MANUAL = new SuppressionReason("manual");

	@Override
	public String toString() {
		return this.value;
	}

}
