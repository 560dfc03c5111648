package dev.mailroom.event;

import java.util.List;
import java.util.UUID;

import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The event log. Events are written in the transaction that causes them. */
@Service
public class Events {

	private final EventStore store;

	Events(EventStore store) {
		this.store = store;
	}

	/** Appends events. The caller has opened the transaction that causes them. */
	public Mono<Void> record(List<Event> events) {
		return events.isEmpty() ? Mono.empty() : this.store.insert(events).then();
	}

	/** Appends events in a transaction of JDBC. */
	public void record(JdbcClient jdbc, List<Event> events) {
		if (!events.isEmpty()) {
			this.store.insert(jdbc, events);
		}
	}

	/**
	 * Appends one event. The caller has opened the transaction that causes it.
	 * @return the event's id
	 */
	public Mono<UUID> recordOne(Event event) {
		return this.store.insert(List.of(event)).map(List::getFirst);
	}

}
