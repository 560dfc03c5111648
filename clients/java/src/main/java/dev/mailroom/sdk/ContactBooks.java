package dev.mailroom.sdk;

import java.util.function.Consumer;

/**
 * Operations of <code>contactBooks</code>.
 */
public final class ContactBooks {

	final Transport transport;

	ContactBooks(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List contact books, newest first. Permission: contacts.read.
	 */
	public Items<ContactBook> list(ContactBooksListQuery query) {
		return this.transport.list(new Call("contactBooks.list", "GET", "/contact-books").query(query), "contactBooks",
				ContactBook::of);
	}

	/**
	 * List contact books, newest first. Permission: contacts.read.
	 */
	public Items<ContactBook> list() {
		return list(new ContactBooksListQuery());
	}

	/**
	 * List contact books, newest first. Permission: contacts.read.
	 */
	public Items<ContactBook> list(Consumer<ContactBooksListQuery> query) {
		ContactBooksListQuery fields = new ContactBooksListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Create a contact book. Permission: contacts.write.
	 */
	public ContactBook create(NewContactBook body) {
		return ContactBook
			.of(this.transport.json(new Call("contactBooks.create", "POST", "/contact-books").repeatable().json(body))
				.object("data")
				.object("contactBook"));
	}

	/**
	 * Create a contact book. Permission: contacts.write.
	 */
	public ContactBook create(Consumer<NewContactBook> fields) {
		NewContactBook body = new NewContactBook();
		fields.accept(body);
		return create(body);
	}

	/**
	 * Show a contact book. Permission: contacts.read.
	 */
	public ContactBook get(String id) {
		return ContactBook
			.of(this.transport.json(new Call("contactBooks.get", "GET", "/contact-books/" + Transport.encoded(id)))
				.object("data")
				.object("contactBook"));
	}

	/**
	 * Change a contact book. Contacts that are subscribed remain so when the book begins
	 * to require double opt-in; contacts that wait for a confirmation keep waiting when
	 * it no longer does. Permission: contacts.write.
	 */
	public ContactBook update(String id, ContactBookChange body) {
		return ContactBook.of(this.transport
			.json(new Call("contactBooks.update", "PATCH", "/contact-books/" + Transport.encoded(id)).json(body))
			.object("data")
			.object("contactBook"));
	}

	/**
	 * Change a contact book. Contacts that are subscribed remain so when the book begins
	 * to require double opt-in; contacts that wait for a confirmation keep waiting when
	 * it no longer does. Permission: contacts.write.
	 */
	public ContactBook update(String id, Consumer<ContactBookChange> fields) {
		ContactBookChange body = new ContactBookChange();
		fields.accept(body);
		return update(id, body);
	}

	/**
	 * Delete a contact book with its contacts. Permission: contacts.write.
	 */
	public void delete(String id) {
		this.transport.nothing(new Call("contactBooks.delete", "DELETE", "/contact-books/" + Transport.encoded(id)));
	}

}
