package dev.mailroom.sdk;

/**
 * <code>emails.send</code> sends, reschedules and cancels, and reads nothing; use it for
 * programs that only send. <code>emails.sandbox</code> sends to recipients of the sandbox
 * only; use it for tests. <code>send</code> includes <code>emails.send</code>,
 * <code>emails.read</code>, <code>inbound.read</code> and <code>analytics.read</code>.
 * These six are for all keys, the others for keys of an account only. <code>write</code>
 * includes <code>read</code>. <code>campaigns.write</code> also pauses;
 * <code>campaigns.send</code> starts, schedules, resumes and tests. An operation names
 * the permission that it needs in <code>x-permission</code>. The API may add values.
 *
 * @param value the text in the API
 */
public record Permission(String value) {

	/** {@code send}. */
	public static final Permission SEND = new Permission("send");

	/** {@code emails.send}. */
	public static final Permission EMAILS_SEND = new Permission("emails.send");

	/** {@code emails.sandbox}. */
	public static final Permission EMAILS_SANDBOX = new Permission("emails.sandbox");

	/** {@code emails.read}. */
	public static final Permission EMAILS_READ = new Permission("emails.read");

	/** {@code inbound.read}. */
	public static final Permission INBOUND_READ = new Permission("inbound.read");

	/** {@code analytics.read}. */
	public static final Permission ANALYTICS_READ = new Permission("analytics.read");

	/** {@code domains.read}. */
	public static final Permission DOMAINS_READ = new Permission("domains.read");

	/** {@code domains.write}. */
	public static final Permission DOMAINS_WRITE = new Permission("domains.write");

	/** {@code templates.read}. */
	public static final Permission TEMPLATES_READ = new Permission("templates.read");

	/** {@code templates.write}. */
	public static final Permission TEMPLATES_WRITE = new Permission("templates.write");

	/** {@code contacts.read}. */
	public static final Permission CONTACTS_READ = new Permission("contacts.read");

	/** {@code contacts.write}. */
	public static final Permission CONTACTS_WRITE = new Permission("contacts.write");

	/** {@code campaigns.read}. */
	public static final Permission CAMPAIGNS_READ = new Permission("campaigns.read");

	/** {@code campaigns.write}. */
	public static final Permission CAMPAIGNS_WRITE = new Permission("campaigns.write");

	/** {@code campaigns.send}. */
	public static final Permission CAMPAIGNS_SEND = new Permission("campaigns.send");

	/** {@code suppressions.read}. */
	public static final Permission SUPPRESSIONS_READ = new Permission("suppressions.read");

	/** {@code suppressions.write}. */
	public static final Permission SUPPRESSIONS_WRITE = new Permission("suppressions.write");

	/** {@code webhooks.read}. */
	public static final Permission WEBHOOKS_READ = new Permission("webhooks.read");

	/** {@code webhooks.write}. */
	public static final Permission WEBHOOKS_WRITE = new Permission("webhooks.write");

	/** {@code events.read}. */
	public static final Permission EVENTS_READ = new Permission("events.read");

	/** {@code usage.read}. */
	public static final Permission USAGE_READ = new Permission("usage.read");

	@Override
	public String toString() {
		return this.value;
	}

}
