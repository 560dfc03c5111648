package dev.mailroom.sdk;

/**
 * An email status. The API may add values.
 *
 * @param value the text in the API
 */
public record EmailStatus(String value) {

	/** {@code pending}. */
	public static final EmailStatus PENDING = new EmailStatus("pending");

	/** {@code sent}. */
	public static final EmailStatus SENT = new EmailStatus("sent");

	/** {@code delivered}. */
	public static final EmailStatus DELIVERED = new EmailStatus("delivered");

	/** {@code bounced}. */
	public static final EmailStatus BOUNCED = new EmailStatus("bounced");

	/** {@code complained}. */
	public static final EmailStatus COMPLAINED = new EmailStatus("complained");

	/** {@code failed}. */
	public static final EmailStatus FAILED = new EmailStatus("failed");

	@Override
	public String toString() {
		return this.value;
	}

}
