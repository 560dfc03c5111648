package dev.mailroom.sdk;

import java.io.InputStream;
import java.util.List;
import java.util.function.Consumer;

/**
 * Operations of <code>contacts</code>.
 */
class ContactsOperations {

	final Transport transport;

	ContactsOperations(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List a book's contacts, newest first. Permission: contacts.read.
	 */
	public Items<Contact> list(String contactBookId, ContactsListQuery query) {
		return this.transport
			.list(new Call("contacts.list", "GET", "/contact-books/" + Transport.encoded(contactBookId) + "/contacts")
				.query(query), "contacts", Contact::of);
	}

	/**
	 * List a book's contacts, newest first. Permission: contacts.read.
	 */
	public Items<Contact> list(String contactBookId) {
		return list(contactBookId, new ContactsListQuery());
	}

	/**
	 * List a book's contacts, newest first. Permission: contacts.read.
	 */
	public Items<Contact> list(String contactBookId, Consumer<ContactsListQuery> query) {
		ContactsListQuery fields = new ContactsListQuery();
		query.accept(fields);
		return list(contactBookId, fields);
	}

	/**
	 * Add a contact. Permission: contacts.write.
	 */
	public Contact create(String contactBookId, NewContact body) {
		return Contact.of(this.transport
			.json(new Call("contacts.create", "POST",
					"/contact-books/" + Transport.encoded(contactBookId) + "/contacts")
				.repeatable()
				.json(body))
			.object("data")
			.object("contact"));
	}

	/**
	 * Add a contact. Permission: contacts.write.
	 */
	public Contact create(String contactBookId, Consumer<NewContact> fields) {
		NewContact body = new NewContact();
		fields.accept(body);
		return create(contactBookId, body);
	}

	/**
	 * Add or update up to 1000 contacts by address. All contacts are saved or none. Of
	 * several with one address the last one counts. A contact that has unsubscribed stays
	 * unsubscribed without <code>resubscribe</code>. Permission: contacts.write.
	 */
	BulkResult saveAllOnce(String contactBookId, List<NewContact> body, ContactsSaveAllQuery query) {
		return BulkResult.of(
				this.transport
					.json(new Call("contacts.saveAll", "POST",
							"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/bulk")
						.repeatable()
						.query(query)
						.json(body))
					.object("data"));
	}

	/**
	 * Import contacts from a CSV file. Contacts are added, or updated by address. The
	 * file may have any length; it is saved while it is received, in transactions of 500
	 * lines. The first line names the columns: <code>email</code>,
	 * <code>first_name</code>, <code>last_name</code>, <code>subscribed</code>,
	 * <code>properties</code> (a JSON object); any other column becomes a property. An
	 * empty cell leaves the field unchanged. Invalid lines are skipped and reported. The
	 * import stops at the plan's limit of contacts; contacts saved before stay, except
	 * with an <code>Idempotency-Key</code>, which makes the import a single transaction.
	 * A contact that has unsubscribed stays unsubscribed without
	 * <code>resubscribe</code>. Permission: contacts.write.
	 */
	public ImportResult importCsv(String contactBookId, String body, ContactsImportCsvQuery query) {
		return ImportResult.of(
				this.transport
					.json(new Call("contacts.importCsv", "POST",
							"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/import")
						.repeatable()
						.query(query)
						.body("text/csv", body))
					.object("data"));
	}

	/**
	 * Import contacts from a CSV file. Contacts are added, or updated by address. The
	 * file may have any length; it is saved while it is received, in transactions of 500
	 * lines. The first line names the columns: <code>email</code>,
	 * <code>first_name</code>, <code>last_name</code>, <code>subscribed</code>,
	 * <code>properties</code> (a JSON object); any other column becomes a property. An
	 * empty cell leaves the field unchanged. Invalid lines are skipped and reported. The
	 * import stops at the plan's limit of contacts; contacts saved before stay, except
	 * with an <code>Idempotency-Key</code>, which makes the import a single transaction.
	 * A contact that has unsubscribed stays unsubscribed without
	 * <code>resubscribe</code>. Permission: contacts.write.
	 */
	public ImportResult importCsv(String contactBookId, String body) {
		return importCsv(contactBookId, body, new ContactsImportCsvQuery());
	}

	/**
	 * Import contacts from a CSV file. Contacts are added, or updated by address. The
	 * file may have any length; it is saved while it is received, in transactions of 500
	 * lines. The first line names the columns: <code>email</code>,
	 * <code>first_name</code>, <code>last_name</code>, <code>subscribed</code>,
	 * <code>properties</code> (a JSON object); any other column becomes a property. An
	 * empty cell leaves the field unchanged. Invalid lines are skipped and reported. The
	 * import stops at the plan's limit of contacts; contacts saved before stay, except
	 * with an <code>Idempotency-Key</code>, which makes the import a single transaction.
	 * A contact that has unsubscribed stays unsubscribed without
	 * <code>resubscribe</code>. Permission: contacts.write.
	 */
	public ImportResult importCsv(String contactBookId, String body, Consumer<ContactsImportCsvQuery> query) {
		ContactsImportCsvQuery fields = new ContactsImportCsvQuery();
		query.accept(fields);
		return importCsv(contactBookId, body, fields);
	}

	/**
	 * Export a book's contacts as CSV, newest first. The format of the import. Texts that
	 * begin like a spreadsheet formula are preceded by an apostrophe, which the import
	 * removes. Permission: contacts.read.
	 */
	public InputStream exportCsv(String contactBookId) {
		return this.transport.stream(new Call("contacts.exportCsv", "GET",
				"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/export"));
	}

	/**
	 * Show a contact. Permission: contacts.read.
	 */
	public Contact get(String contactBookId, String contactId) {
		return Contact.of(
				this.transport
					.json(new Call("contacts.get", "GET",
							"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/"
									+ Transport.encoded(contactId)))
					.object("data")
					.object("contact"));
	}

	/**
	 * Add or update a contact by address. The address identifies the contact, not the id:
	 * a new contact gets an id from the server. A contact that has unsubscribed stays
	 * unsubscribed without <code>resubscribe</code>. Permission: contacts.write.
	 */
	public Contact put(String contactBookId, String contactId, NewContact body) {
		return Contact.of(
				this.transport
					.json(new Call("contacts.put", "PUT",
							"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/"
									+ Transport.encoded(contactId))
						.json(body))
					.object("data")
					.object("contact"));
	}

	/**
	 * Add or update a contact by address. The address identifies the contact, not the id:
	 * a new contact gets an id from the server. A contact that has unsubscribed stays
	 * unsubscribed without <code>resubscribe</code>. Permission: contacts.write.
	 */
	public Contact put(String contactBookId, String contactId, Consumer<NewContact> fields) {
		NewContact body = new NewContact();
		fields.accept(body);
		return put(contactBookId, contactId, body);
	}

	/**
	 * Change a contact. Given <code>properties</code> replace all present ones. In a book
	 * with double opt-in, <code>subscribed: true</code> asks the person to confirm.
	 * Permission: contacts.write.
	 */
	public Contact update(String contactBookId, String contactId, ContactChange body) {
		return Contact.of(
				this.transport
					.json(new Call("contacts.update", "PATCH",
							"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/"
									+ Transport.encoded(contactId))
						.json(body))
					.object("data")
					.object("contact"));
	}

	/**
	 * Change a contact. Given <code>properties</code> replace all present ones. In a book
	 * with double opt-in, <code>subscribed: true</code> asks the person to confirm.
	 * Permission: contacts.write.
	 */
	public Contact update(String contactBookId, String contactId, Consumer<ContactChange> fields) {
		ContactChange body = new ContactChange();
		fields.accept(body);
		return update(contactBookId, contactId, body);
	}

	/**
	 * Delete a contact. A contact whose address is added to the book again has the same
	 * id. If it had unsubscribed, it stays unsubscribed without <code>resubscribe</code>.
	 * Permission: contacts.write.
	 */
	public void delete(String contactBookId, String contactId) {
		this.transport.nothing(new Call("contacts.delete", "DELETE",
				"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/" + Transport.encoded(contactId)));
	}

	/**
	 * Ask a contact with a pending consent to confirm once more. A mail is sent once a
	 * day, and three times in all. Permission: contacts.write.
	 */
	public Contact repeatConfirmation(String contactBookId, String contactId) {
		return Contact
			.of(this.transport
				.json(new Call("contacts.repeatConfirmation", "POST",
						"/contact-books/" + Transport.encoded(contactBookId) + "/contacts/"
								+ Transport.encoded(contactId) + "/confirmation")
					.repeatable())
				.object("data")
				.object("contact"));
	}

}
