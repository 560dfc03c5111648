package dev.mailroom.sdk;

/**
 * A usage.
 */
public record Usage(String plan, MailsUsed daily, MailsUsed monthly, Held domains, Held contactBooks, Held contacts) {

	static Usage of(JsonObject json) {
		return new Usage(json.text("plan"), MailsUsed.of(json.object("daily")), MailsUsed.of(json.object("monthly")),
				Held.of(json.object("domains")), Held.of(json.object("contact_books")),
				Held.of(json.object("contacts")));
	}

}
