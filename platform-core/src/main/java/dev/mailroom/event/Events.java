package dev.mailroom.event;

import java.util.List;
import java.util.UUID;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Records what happened, in the transaction in which it does. */
@Service
public class Events {

	private final EventStore store;

	Events(EventStore store) {
		this.store = store;
	}

	/** Records a group's events. Call it inside the transaction that makes them true. */
	public Mono<Void> record(List<Event> events) {
		return events.isEmpty() ? Mono.empty() : this.store.insert(events).then();
	}

	/**
	 * Records one event. Call it inside the transaction that makes it true.
	 * @return its id
	 */
	public Mono<UUID> recordOne(Event event) {
		return this.store.insert(List.of(event)).map(List::getFirst);
	}

}
