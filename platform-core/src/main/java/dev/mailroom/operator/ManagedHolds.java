package dev.mailroom.operator;

import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

import dev.mailroom.EmailAddress.AsciiDomain;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.mail.queue.Holds;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Stops and releases of destinations and of the queue by operators. */
@Service
public class ManagedHolds {

	/** Destinations held at the same time. */
	private static final int MAX_HOLDS = 500;

	private static final Pattern DOMAIN = Pattern
		.compile("(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+");

	private final Holds holds;

	private final Audits audits;

	private final Transactions transactions;

	private final Clock clock;

	ManagedHolds(Holds holds, Audits audits, Transactions transactions, Clock clock) {
		this.holds = holds;
		this.audits = audits;
		this.transactions = transactions;
		this.clock = clock;
	}

	/** The held destinations by name. */
	public Mono<List<Holds.DestinationHold>> list(Operator operator) {
		return this.transactions.acrossAccounts(this.holds.list(MAX_HOLDS));
	}

	/**
	 * Holds a destination: its mail waits in the queue. The hold of a destination that is
	 * held gets the new reason and end.
	 * @param until time at which the hold ends automatically; null if it must be released
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Holds.DestinationHold> hold(Operator operator, String destination, @Nullable String reason,
			@Nullable Instant until) {
		return Mono.defer(() -> {
			Instant now = this.clock.instant();
			if (until != null && !until.isAfter(now)) {
				throw OperationRefusals.invalid("until", "must be in the future");
			}
			Holds.DestinationHold hold = new Holds.DestinationHold(domain(destination),
					OperationRefusals.required("reason", reason), operator.scope().account(), now, until);
			Map<String, Object> details = new HashMap<>();
			details.put("until", (until != null) ? until.toString() : "released");
			Mono<Holds.DestinationHold> held = this.holds.count()
				.filter((count) -> count < MAX_HOLDS)
				.switchIfEmpty(Mono.error(
						() -> OperationRefusals.invalid("destination", "cannot be held: " + MAX_HOLDS + " are held")))
				.then(Mono.defer(() -> this.holds.hold(hold)))
				.then(Mono.defer(() -> this.audits.recordOperator(operator.scope(), null, Act.DESTINATION_HELD,
						hold.destination(), hold.reason(), details)))
				.thenReturn(hold);
			return this.transactions.acrossAccounts(held);
		});
	}

	/**
	 * Releases a destination: its mail is due at once.
	 * @return the destination
	 * @throws dev.mailroom.Refused {@code Not found} if it is not held
	 */
	public Mono<String> release(Operator operator, String destination) {
		return Mono.defer(() -> {
			String domain = domain(destination);
			Mono<String> released = this.holds.release(domain)
				.filter(Boolean::booleanValue)
				.switchIfEmpty(Mono.error(() -> OperationRefusals.NOT_FOUND.because(domain + " is not held")))
				.then(Mono.defer(() -> this.audits.recordOperator(operator.scope(), null, Act.DESTINATION_RELEASED,
						domain, null, Map.of())))
				.thenReturn(domain);
			return this.transactions.acrossAccounts(released);
		});
	}

	/**
	 * Pauses the queue or a stream of it: mail is accepted, and no hand-over is begun. A
	 * paused stream keeps its first reason.
	 * @param stream transactional or campaign; null for both
	 * @return whether anything was not paused before
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Boolean> pause(Operator operator, @Nullable String stream, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			Instant now = this.clock.instant();
			return stop(operator, stream, Act.QUEUE_PAUSED, why, (campaign) -> this.holds
				.pause(new Holds.QueuePause(campaign, why, operator.scope().account(), now)));
		});
	}

	/**
	 * Resumes the queue or a stream of it. A stream that is not paused stays as it is.
	 * @param stream transactional or campaign; null for both
	 * @return whether anything was paused
	 */
	public Mono<Boolean> resume(Operator operator, @Nullable String stream) {
		return stop(operator, stream, Act.QUEUE_RESUMED, null, this.holds::resume);
	}

	/** Changes the streams, in their order, and records it if there was a change. */
	private Mono<Boolean> stop(Operator operator, @Nullable String stream, Act act, @Nullable String reason,
			Function<Boolean, Mono<Boolean>> change) {
		List<Boolean> campaigns = (stream != null) ? List.of(stream.equals("campaign")) : List.of(false, true);
		Mono<Boolean> changed = Flux.fromIterable(campaigns)
			.concatMap(change)
			.reduce(Boolean::logicalOr)
			.delayUntil((any) -> any ? this.audits.recordOperator(operator.scope(), null, act,
					(stream != null) ? stream : "", reason, Map.of()) : Mono.empty());
		return this.transactions.acrossAccounts(changed);
	}

	/** The name of a domain in the form of the queue: lower-case and ASCII (RFC 5891). */
	private static String domain(String text) {
		return AsciiDomain.of(text.strip().toLowerCase(Locale.ROOT))
			.filter((name) -> DOMAIN.matcher(name).matches())
			.orElseThrow(() -> OperationRefusals.invalid("destination", "must be a domain name, such as example.com"));
	}

}
