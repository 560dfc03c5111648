package dev.mailroom.sdk;

/**
 * Parameters of <code>contacts.importCsv</code>.
 */
public final class ContactsImportCsvQuery extends Fields {

	/**
	 * Sets the field <code>resubscribe</code>: Also subscribes contacts that have
	 * unsubscribed.
	 */
	public ContactsImportCsvQuery resubscribe(boolean resubscribe) {
		set("resubscribe", resubscribe);
		return this;
	}

	/**
	 * Sets the field <code>consent_stated</code>: States that the persons have agreed
	 * elsewhere: they are subscribed without a confirmation, with
	 * <code>consent: stated</code>.
	 */
	public ContactsImportCsvQuery consentStated(boolean consentStated) {
		set("consent_stated", consentStated);
		return this;
	}

}
