package dev.mailroom.sdk;

/**
 * A record status. The API may add values.
 *
 * @param value the text in the API
 */
public record RecordStatus(String value) {

	/** {@code pending}. */
	public static final RecordStatus PENDING = new RecordStatus("pending");

	/** {@code verified}. */
	public static final RecordStatus VERIFIED = new RecordStatus("verified");

	/** {@code failed}. */
	public static final RecordStatus FAILED = new RecordStatus("failed");

	/** {@code temporary_failure}. */
	public static final RecordStatus TEMPORARY_FAILURE = new RecordStatus("temporary_failure");

	@Override
	public String toString() {
		return this.value;
	}

}
