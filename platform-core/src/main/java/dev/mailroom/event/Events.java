package dev.mailroom.event;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
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

	/**
	 * What happened to a mail, newest first. Call it inside a transaction of the mail's
	 * account.
	 */
	public Mono<Page<Recorded>> of(Scope scope, UUID emailId, Page.Request page) {
		return this.store.list(scope, emailId, page)
			.collectList()
			.flatMap((events) -> this.store.count(scope, emailId).map((total) -> new Page<>(events, page, total)));
	}

	/** An event as it was recorded. */
	public record Recorded(UUID id, String kind, Map<String, Object> data, Instant createdAt) {
	}

}
