package dev.mailroom.sdk;

/**
 * Treatment of mail whose spam verdict is <code>FAIL</code>. <code>mark</code>: stored
 * with the verdict. <code>reject</code>: refused; if the mail has other recipients that
 * keep it, dropped for this one. <code>drop</code>: accepted and forgotten. The API may
 * add values.
 *
 * @param value the text in the API
 */
public record InboundSpamRule(String value) {

	/** {@code mark}. */
	public static final InboundSpamRule MARK = new InboundSpamRule("mark");

	/** {@code reject}. */
	public static final InboundSpamRule REJECT = new InboundSpamRule("reject");

	/** {@code drop}. */
	public static final InboundSpamRule DROP = new InboundSpamRule("drop");

	@Override
	public String toString() {
		return this.value;
	}

}
