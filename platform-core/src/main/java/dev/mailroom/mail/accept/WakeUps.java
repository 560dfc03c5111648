package dev.mailroom.mail.accept;

import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import dev.mailroom.mail.queue.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Wakes the dispatcher after a commit, and tells it about deliveries that are due if they
 * are few. Wake-ups are coalesced: at most one notification is in flight and one more is
 * pending. A lost notification only costs time, because the dispatcher also polls.
 */
@Component
class WakeUps {

	private static final Logger log = LoggerFactory.getLogger(WakeUps.class);

	private final AcceptStore store;

	private final ApplicationEventPublisher publisher;

	private final Sinks.Many<Boolean> wakeUps = Sinks.many().multicast().directBestEffort();

	/** The deliveries of the pending notification; null if none is pending. */
	private final AtomicReference<Queue.@Nullable Due> pending = new AtomicReference<>();

	WakeUps(AcceptStore store, ApplicationEventPublisher publisher) {
		this.store = store;
		this.publisher = publisher;
	}

	/** Wakes the dispatcher if a mail of a group that was committed has a recipient. */
	void wake(Group group) {
		if (group.emails().stream().anyMatch((email) -> !email.hasNoRecipients())) {
			Queue.Due due = new Queue.Due(group.due());
			this.pending.accumulateAndGet(due, (before, added) -> (before != null) ? before.and(added) : added);
			this.wakeUps.tryEmitNext(true);
		}
	}

	/**
	 * Publishes the mails of a group that was committed, and the limits that refused
	 * requests.
	 */
	void publish(Group group, MailAccepted.Commit commit) {
		this.publisher.publishEvent(commit);
		group.limitsReached().forEach(this.publisher::publishEvent);
		group.emails()
			.stream()
			.collect(Collectors.groupingBy(NewEmail::channel, Collectors.summingInt((_) -> 1)))
			.forEach((channel, count) -> this.publisher.publishEvent(new MailAccepted(channel, count)));
	}

	/** Sends the notifications; neither completes nor fails. */
	Flux<Void> notifications() {
		return this.wakeUps.asFlux().onBackpressureLatest().concatMap((_) -> send(), 1);
	}

	private Mono<Void> send() {
		return Mono.defer(() -> {
			Queue.@Nullable Due due = this.pending.getAndSet(null);
			return (due == null) ? Mono.<Void>empty() : this.store.notifyDispatcher(due);
		}).onErrorResume((ex) -> {
			log.debug("The dispatcher was not notified; it polls", ex);
			return Mono.empty();
		});
	}

}
