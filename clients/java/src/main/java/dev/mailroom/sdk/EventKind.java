package dev.mailroom.sdk;

/**
 * An event kind. The API may add values.
 *
 * @param value the text in the API
 */
public record EventKind(String value) {

	/** {@code email.scheduled}. */
	public static final EventKind EMAIL_SCHEDULED = new EventKind("email.scheduled");

	/** {@code email.sent}. */
	public static final EventKind EMAIL_SENT = new EventKind("email.sent");

	/** {@code email.delivered}. */
	public static final EventKind EMAIL_DELIVERED = new EventKind("email.delivered");

	/** {@code email.delivery_delayed}. */
	public static final EventKind EMAIL_DELIVERY_DELAYED = new EventKind("email.delivery_delayed");

	/** {@code email.bounced}. */
	public static final EventKind EMAIL_BOUNCED = new EventKind("email.bounced");

	/** {@code email.complained}. */
	public static final EventKind EMAIL_COMPLAINED = new EventKind("email.complained");

	/** {@code email.opened}. */
	public static final EventKind EMAIL_OPENED = new EventKind("email.opened");

	/** {@code email.clicked}. */
	public static final EventKind EMAIL_CLICKED = new EventKind("email.clicked");

	/** {@code email.failed}. */
	public static final EventKind EMAIL_FAILED = new EventKind("email.failed");

	/** {@code email.cancelled}. */
	public static final EventKind EMAIL_CANCELLED = new EventKind("email.cancelled");

	/** {@code email.suppressed}. */
	public static final EventKind EMAIL_SUPPRESSED = new EventKind("email.suppressed");

	/** {@code email.received}. */
	public static final EventKind EMAIL_RECEIVED = new EventKind("email.received");

	/** {@code email.forwarded}. */
	public static final EventKind EMAIL_FORWARDED = new EventKind("email.forwarded");

	/** {@code email.forward_failed}. */
	public static final EventKind EMAIL_FORWARD_FAILED = new EventKind("email.forward_failed");

	/** {@code contact.created}. */
	public static final EventKind CONTACT_CREATED = new EventKind("contact.created");

	/** {@code contact.updated}. */
	public static final EventKind CONTACT_UPDATED = new EventKind("contact.updated");

	/** {@code contact.deleted}. */
	public static final EventKind CONTACT_DELETED = new EventKind("contact.deleted");

	/** {@code contact.unsubscribed}. */
	public static final EventKind CONTACT_UNSUBSCRIBED = new EventKind("contact.unsubscribed");

	/** {@code domain.verified}. */
	public static final EventKind DOMAIN_VERIFIED = new EventKind("domain.verified");

	/** {@code domain.failed}. */
	public static final EventKind DOMAIN_FAILED = new EventKind("domain.failed");

	/** {@code tracking_domain.failed}. */
	public static final EventKind TRACKING_DOMAIN_FAILED = new EventKind("tracking_domain.failed");

	/** {@code campaign.started}. */
	public static final EventKind CAMPAIGN_STARTED = new EventKind("campaign.started");

	/** {@code campaign.paused}. */
	public static final EventKind CAMPAIGN_PAUSED = new EventKind("campaign.paused");

	/** {@code campaign.resumed}. */
	public static final EventKind CAMPAIGN_RESUMED = new EventKind("campaign.resumed");

	/** {@code campaign.sent}. */
	public static final EventKind CAMPAIGN_SENT = new EventKind("campaign.sent");

	/** {@code quota.warning}. */
	public static final EventKind QUOTA_WARNING = new EventKind("quota.warning");

	/** {@code quota.reached}. */
	public static final EventKind QUOTA_REACHED = new EventKind("quota.reached");

	/** {@code webhook.test}. */
	public static final EventKind WEBHOOK_TEST = new EventKind("webhook.test");

	@Override
	public String toString() {
		return this.value;
	}

}
