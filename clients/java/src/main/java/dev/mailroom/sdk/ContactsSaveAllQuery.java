package dev.mailroom.sdk;

/**
 * Parameters of <code>contacts.saveAll</code>.
 */
public final class ContactsSaveAllQuery extends Fields {

	/**
	 * Sets the field <code>consent_stated</code>: States that the persons have agreed
	 * elsewhere: they are subscribed without a confirmation, with
	 * <code>consent: stated</code>.
	 */
	public ContactsSaveAllQuery consentStated(boolean consentStated) {
		set("consent_stated", consentStated);
		return this;
	}

}
