package dev.mailroom.tracking;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import dev.mailroom.event.Event;
import dev.mailroom.event.Events;
import dev.mailroom.event.Kind;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Counts opens and clicks, each with its event in one transaction. What a program did
 * rather than a person is told, and not counted.
 */
@Service
public class Engagements {

	/**
	 * A recipient who loads a picture more often than this in a minute fills no log with
	 * it.
	 */
	private static final int MOST = 60;

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private final Cache<UUID, AtomicInteger> seen = Caffeine.newBuilder()
		.maximumSize(100_000)
		.expireAfterWrite(MINUTE)
		.build();

	private final Transactions transactions;

	private final EngagementStore store;

	private final Events events;

	Engagements(Transactions transactions, EngagementStore store, Events events) {
		this.transactions = transactions;
		this.store = store;
		this.events = events;
	}

	/** A mail was opened. */
	public Mono<Void> opened(Token.Open open, Visitor visitor) {
		Scope scope = Scope.of(open.accountId());
		return counted(scope, open.delivery(), this.store.opened(scope, open.delivery(), !visitor.isProgram()),
				Kind.EMAIL_OPENED, visitor, Map.of());
	}

	/**
	 * A link was clicked.
	 * @param url where it led to
	 */
	public Mono<Void> clicked(Token.Click click, String url, Visitor visitor) {
		Scope scope = Scope.of(click.accountId());
		return counted(scope, click.delivery(),
				this.store.clicked(scope, click.delivery(), !visitor.isProgram(), visitor.equals(Visitor.PLAYED)),
				Kind.EMAIL_CLICKED, visitor, Map.of("click", Map.of("url", url)));
	}

	private Mono<Void> counted(Scope scope, UUID delivery, Mono<Seen> counting, Kind kind, Visitor visitor,
			Map<String, Object> more) {
		if (this.seen.get(delivery, (_) -> new AtomicInteger()).incrementAndGet() > MOST) {
			return Mono.empty();
		}
		Mono<Seen> work = counting.delayUntil((seen) -> {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("recipient", seen.recipient());
			data.putAll(more);
			data.put("bot", !seen.counted());
			data.put("user_agent", visitor.userAgent());
			return this.events.record(List.of(new Event(scope.account(), kind, seen.emailId(), data)));
		});
		return this.transactions.in(scope, work).then();
	}

	/**
	 * A mail that was opened or clicked.
	 *
	 * @param counted whether it was a person, as far as anybody can tell
	 */
	record Seen(UUID emailId, String recipient, boolean counted) {
	}

}
