package dev.mailroom.admin.contact;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.contact.Consent;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.ContactForm;
import dev.mailroom.contact.ContactIntake;
import dev.mailroom.contact.Contacts;
import dev.mailroom.contact.ImportCheck;
import dev.mailroom.contact.SelectedContacts;
import dev.mailroom.contact.Subscriptions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.ArgumentValue;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The contacts of a book. */
@Controller
class ContactResolver {

	private final Contacts contacts;

	private final ContactIntake intake;

	private final Subscriptions subscriptions;

	private final SelectedContacts selected;

	ContactResolver(Contacts contacts, ContactIntake intake, Subscriptions subscriptions, SelectedContacts selected) {
		this.selected = selected;
		this.contacts = contacts;
		this.intake = intake;
		this.subscriptions = subscriptions;
	}

	@SchemaMapping
	Mono<Connection<Contact>> contacts(Viewer viewer, PageArguments page, @Argument UUID contactBookId,
			@Argument @Nullable String search, @Argument @Nullable Boolean subscribed) {
		Contact.Filter filter = Contact.Filter.of(search, subscribed);
		return Mono.defer(() -> {
			Page.Request request = page.byCursor();
			return filter.equals(Contact.Filter.ALL)
					? this.contacts.list(viewer.scope(), contactBookId, filter, request)
						.map((listed) -> Connection.of(listed, Contact::cursor))
					: this.contacts.read(viewer.scope(), contactBookId, filter, request)
						.map((found) -> Connection.of(found, request, Contact::cursor));
		});
	}

	@SchemaMapping
	Mono<Long> contactCount(Viewer viewer, @Argument UUID contactBookId, @Argument @Nullable String search,
			@Argument @Nullable Boolean subscribed) {
		return this.contacts.count(viewer.scope(), contactBookId, Contact.Filter.of(search, subscribed));
	}

	@SchemaMapping
	Mono<Contact> contact(Viewer viewer, @Argument UUID contactBookId, @Argument UUID id) {
		return this.contacts.find(viewer.scope(), contactBookId, id);
	}

	@SchemaMapping
	Mono<List<Contact.Found>> findContacts(Viewer viewer, PageArguments page, @Argument String address) {
		return Mono.defer(() -> this.contacts.byAddress(viewer.scope(), address, page.byPosition().limit()));
	}

	@SchemaMapping
	Mono<ImportCheck> checkContacts(Viewer viewer, @Argument SaveContactsInput input) {
		return this.intake.check(viewer.scope(), input.contactBookId(), input.forms());
	}

	@MutationMapping
	Mono<Map<String, Object>> createContact(Scope scope, @Argument CreateContactInput input) {
		return Payload.of("contact", this.intake.create(scope, input.contactBookId(), input.form()));
	}

	@MutationMapping
	Mono<Map<String, Object>> saveContacts(Scope scope, @Argument SaveContactsInput input) {
		List<@Nullable ContactForm> forms = List.copyOf(input.forms());
		return Payload.fields(this.intake.bulk(scope, input.contactBookId(), forms)
			.map((saved) -> Map.of("added", saved.added(), "updated", saved.updated())));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateContact(Scope scope, @Argument UpdateContactInput input) {
		return Payload.of("contact", this.contacts.change(scope, input.contactBookId(), input.id(), input.change()));
	}

	@MutationMapping
	Mono<Map<String, Object>> changeContacts(Scope scope, @Argument ChangeContactsInput input) {
		return Payload.fields(Mono.defer(() -> this.selected.change(scope, input.selection(), input.change()))
			.map(ContactResolver::step));
	}

	private static Map<String, Object> step(SelectedContacts.Step step) {
		Map<String, Object> fields = new HashMap<>(
				Map.of("changedCount", step.changed(), "skippedCount", step.skipped()));
		if (step.next() != null) {
			fields.put("endCursor", step.next().text());
		}
		return fields;
	}

	@MutationMapping
	Mono<Map<String, Object>> repeatContactConfirmation(Scope scope, @Argument UUID contactBookId, @Argument UUID id) {
		return Payload.of("contact", this.subscriptions.repeatMail(scope, contactBookId, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteContact(Scope scope, @Argument UUID contactBookId, @Argument UUID id) {
		return Payload.of("deletedId", this.contacts.delete(scope, contactBookId, id).thenReturn(id));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteContacts(Scope scope, @Argument DeleteContactsInput input) {
		return Payload.of("deletedCount", this.contacts.deleteAll(scope, input.contactBookId(), input.ids()));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteMatchingContacts(Scope scope, @Argument DeleteMatchingContactsInput input) {
		return Payload.of("deletedCount",
				this.contacts.deleteMatching(scope, input.contactBookId(), input.filter(), input.count()));
	}

	/** A contact to add, or to update by its address. */
	record ContactInput(String email, @Nullable String firstName, @Nullable String lastName,
			@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties,
			@Nullable Boolean resubscribe) {

		ContactForm form(Consent.Origin origin) {
			return new ContactForm(this.email, this.firstName, this.lastName, this.subscribed, this.properties,
					Boolean.TRUE.equals(this.resubscribe), origin);
		}

	}

	/** A contact to add to a book. */
	record CreateContactInput(UUID contactBookId, String email, @Nullable String firstName, @Nullable String lastName,
			@Nullable Boolean subscribed, @Nullable Map<String, @Nullable Object> properties) {

		ContactForm form() {
			return new ContactForm(this.email, this.firstName, this.lastName, this.subscribed, this.properties, false,
					Consent.Origin.of(Consent.Source.WEB));
		}

	}

	/** Contacts to add or update. */
	record SaveContactsInput(UUID contactBookId, List<ContactInput> contacts, @Nullable Boolean consentStated) {

		List<ContactForm> forms() {
			Consent.Origin origin = new Consent.Origin(Consent.Source.WEB, Boolean.TRUE.equals(this.consentStated));
			return this.contacts.stream().map((contact) -> contact.form(origin)).toList();
		}

	}

	/** Contacts to delete by their ids. */
	record DeleteContactsInput(UUID contactBookId, List<UUID> ids) {
	}

	/** Contacts to delete by a filter. */
	record DeleteMatchingContactsInput(UUID contactBookId, @Nullable String search, @Nullable Boolean subscribed,
			int count) {

		Contact.Filter filter() {
			return Contact.Filter.of(this.search, this.subscribed);
		}

	}

	/** One step of a change of contacts. */
	record ChangeContactsInput(UUID contactBookId, ContactAction action, @Nullable List<UUID> ids,
			@Nullable String search, @Nullable Boolean subscribed, @Nullable String after, @Nullable String property,
			@Nullable Object value, @Nullable UUID targetBookId) {

		SelectedContacts.Selection selection() {
			Page.@Nullable Cursor position = (this.after != null)
					? Page.Cursor.parse(this.after).orElseThrow(PageArguments::badCursor) : null;
			return new SelectedContacts.Selection(this.contactBookId, this.ids,
					Contact.Filter.of(this.search, this.subscribed), position);
		}

		SelectedContacts.Action change() {
			boolean copies = this.action == ContactAction.COPY || this.action == ContactAction.MOVE;
			if (copies == (this.targetBookId == null)) {
				throw Refusal.INVALID_REQUEST.field("target_book_id",
						copies ? "is required" : "is not used by this action");
			}
			return switch (this.action) {
				case UNSUBSCRIBE -> new SelectedContacts.Unsubscribe();
				case SET_PROPERTY ->
					new SelectedContacts.SetProperty(Objects.requireNonNullElse(this.property, "").strip(), this.value);
				case COPY -> new SelectedContacts.Copy(Objects.requireNonNull(this.targetBookId), false);
				case MOVE -> new SelectedContacts.Copy(Objects.requireNonNull(this.targetBookId), true);
			};
		}

	}

	/** A change of many contacts. */
	enum ContactAction {

		UNSUBSCRIBE, SET_PROPERTY, COPY, MOVE

	}

	/** Changes of a contact. An absent field stays, null empties a name. */
	record UpdateContactInput(UUID contactBookId, UUID id, ArgumentValue<String> firstName,
			ArgumentValue<String> lastName, @Nullable Boolean subscribed,
			@Nullable Map<String, @Nullable Object> properties) {

		Contact.Change change() {
			return new Contact.Change(name(this.firstName), name(this.lastName), this.subscribed, this.properties,
					Consent.Source.WEB);
		}

		private static @Nullable String name(ArgumentValue<String> name) {
			return name.isOmitted() ? null : Objects.requireNonNullElse(name.value(), "");
		}

	}

}
