package dev.mailroom.sdk;

/**
 * <code>store</code>: the mail is stored, and reported as <code>email.received</code>.
 * <code>webhook</code>: the same, and the event has a link to the source.
 * <code>forward</code>: the mail is stored, reported and forwarded. <code>reject</code>:
 * the recipient is refused. <code>drop</code>: the mail is accepted and forgotten.
 * Further actions may be added. The API may add values.
 *
 * @param value the text in the API
 */
public record InboundAction(String value) {

	/** {@code store}. */
	public static final InboundAction STORE = new InboundAction("store");

	/** {@code webhook}. */
	public static final InboundAction WEBHOOK = new InboundAction("webhook");

	/** {@code forward}. */
	public static final InboundAction FORWARD = new InboundAction("forward");

	/** {@code reject}. */
	public static final InboundAction REJECT = new InboundAction("reject");

	/** {@code drop}. */
	public static final InboundAction DROP = new InboundAction("drop");

	@Override
	public String toString() {
		return this.value;
	}

}
