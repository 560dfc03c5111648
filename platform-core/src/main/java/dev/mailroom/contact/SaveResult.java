package dev.mailroom.contact;

import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.event.Event;
import dev.mailroom.event.EventKind;

/**
 * A saved contact.
 *
 * @param added whether the contact is new
 * @param changed whether the contact is new or a field of it has changed
 * @param unsubscribed whether it was subscribed before and no longer is
 */
public record SaveResult(Contact contact, boolean added, boolean changed, boolean unsubscribed) {

	/** The events that the change causes. */
	Stream<Event> events() {
		Stream<Event> saved = this.changed
				? Stream.of(this.contact.event(this.added ? EventKind.CONTACT_CREATED : EventKind.CONTACT_UPDATED))
				: Stream.empty();
		return this.unsubscribed ? Stream.concat(saved, Stream.of(this.contact.event(EventKind.CONTACT_UNSUBSCRIBED)))
				: saved;
	}

	static List<Event> events(List<SaveResult> saved) {
		return saved.stream().flatMap(SaveResult::events).toList();
	}

}
