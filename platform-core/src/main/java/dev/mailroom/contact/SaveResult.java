package dev.mailroom.contact;

import java.util.List;
import java.util.stream.Stream;

import dev.mailroom.event.Event;
import dev.mailroom.event.Kind;

/**
 * A contact as storing it left it.
 *
 * @param added whether it is new
 * @param changed whether it is new or something of it is
 * @param unsubscribed whether it was subscribed until now
 */
public record SaveResult(Contact contact, boolean added, boolean changed, boolean unsubscribed) {

	/** What there is to tell of it. */
	Stream<Event> events() {
		Stream<Event> kept = this.changed
				? Stream.of(this.contact.event(this.added ? Kind.CONTACT_CREATED : Kind.CONTACT_UPDATED))
				: Stream.empty();
		return this.unsubscribed ? Stream.concat(kept, Stream.of(this.contact.event(Kind.CONTACT_UNSUBSCRIBED))) : kept;
	}

	static List<Event> events(List<SaveResult> kept) {
		return kept.stream().flatMap(SaveResult::events).toList();
	}

	static long added(List<SaveResult> kept) {
		return kept.stream().filter(SaveResult::added).count();
	}

}
