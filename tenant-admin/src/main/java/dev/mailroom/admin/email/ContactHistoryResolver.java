package dev.mailroom.admin.email;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.contact.Contact;
import dev.mailroom.contact.Contacts;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.MailSearch;
import dev.mailroom.mail.outcome.Suppression;
import dev.mailroom.mail.outcome.Suppressions;
import dev.mailroom.webhook.Feed;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** History of a contact: emails, their events, suppression and other books. */
@Controller
class ContactHistoryResolver {

	private static final int MAX_BOOKS = 20;

	private static final int MAX_EVENTS = 100;

	private final Contacts contacts;

	private final MailSearch search;

	private final Feed feed;

	private final Suppressions suppressions;

	ContactHistoryResolver(Contacts contacts, MailSearch search, Feed feed, Suppressions suppressions) {
		this.contacts = contacts;
		this.search = search;
		this.feed = feed;
		this.suppressions = suppressions;
	}

	@SchemaMapping
	Mono<ContactHistory> contactHistory(Viewer viewer, @Argument UUID contactBookId, @Argument UUID id) {
		Scope scope = viewer.scope();
		return this.contacts.find(scope, contactBookId, id)
			.flatMap((contact) -> Mono.zip(this.search.toContact(scope, contact), books(scope, contact),
					suppression(scope, contact)))
			.flatMap((found) -> events(scope, found.getT1().emails())
				.map((events) -> new ContactHistory(found.getT1().emails(), events, found.getT2(),
						found.getT3().orElse(null), found.getT1().unsubscriptions())));
	}

	private Mono<List<Contact.Found>> books(Scope scope, Contact contact) {
		return this.contacts.byAddress(scope, contact.email(), MAX_BOOKS)
			.map((found) -> found.stream()
				.filter((each) -> key(each.contact().email()).equals(key(contact.email())))
				.toList());
	}

	private Mono<Optional<Suppression>> suppression(Scope scope, Contact contact) {
		return this.suppressions.findAll(scope, new Suppression.Named(List.of(), List.of(key(contact.email()))))
			.map((entries) -> entries.stream().findFirst());
	}

	private Mono<List<ContactEvent>> events(Scope scope, List<Email> emails) {
		return emails.isEmpty() ? Mono.just(List.of())
				: this.feed.ofEmails(scope, emails.stream().map(Email::id).toList())
					.map(ContactHistoryResolver::newest);
	}

	private static List<ContactEvent> newest(Map<UUID, Collection<Feed.EmailEvent>> events) {
		return events.entrySet()
			.stream()
			.flatMap((email) -> email.getValue()
				.stream()
				.map((event) -> new ContactEvent(event.id(), event.kind(), email.getKey(), event.data(),
						event.createdAt())))
			.sorted(Comparator.comparing(ContactEvent::createdAt).reversed())
			.limit(MAX_EVENTS)
			.toList();
	}

	private static String key(String address) {
		return EmailAddress.parse(address).map(EmailAddress::key).orElse(address);
	}

	/** History of a contact. */
	record ContactHistory(List<Email> emails, List<ContactEvent> events, List<Contact.Found> books,
			@Nullable Suppression suppression, List<MailSearch.Unsubscription> unsubscriptions) {
	}

	/** An event of an email to a contact. */
	record ContactEvent(UUID id, String kind, UUID emailId, Map<String, Object> data, Instant createdAt) {
	}

}
