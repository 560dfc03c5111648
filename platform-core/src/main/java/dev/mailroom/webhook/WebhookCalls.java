package dev.mailroom.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import dev.mailroom.database.IdRange;
import dev.mailroom.database.JdbcTransactions;
import io.r2dbc.spi.Readable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.value;

/**
 * Lease and settlement of webhook calls. A worker leases endpoints, makes their due calls
 * and records the results. Calls that it does not begin stay in the queue unchanged.
 */
@Service
public class WebhookCalls {

	private static final Logger log = LoggerFactory.getLogger(WebhookCalls.class);

	/**
	 * Time that a worker has for the calls that it leased together; then another worker
	 * may make them. It is longer than the last call and the record of its result take.
	 */
	public static final Duration LEASE = Duration.ofSeconds(60);

	/** Age of an event up to which its calls are searched for in each turn. */
	private static final Duration USUAL_AGE = Duration.ofDays(7);

	/** Limit on the difference between the clocks of the processes that create ids. */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofHours(1);

	/** Time between two turns that search for the calls of all events. */
	private static final Duration WHOLE_INTERVAL = Duration.ofSeconds(5);

	private static final String GONE = "The endpoint responded with 410 Gone";

	private final WebhookCallStore store;

	private final SigningSecret secrets;

	private final WebhookSettings settings;

	private final JdbcTransactions transactions;

	private final Clock clock;

	private final AtomicReference<Instant> lastWhole = new AtomicReference<>(Instant.EPOCH);

	WebhookCalls(WebhookCallStore store, SigningSecret secrets, WebhookSettings settings, JdbcTransactions transactions,
			Clock clock) {
		this.store = store;
		this.secrets = secrets;
		this.settings = settings;
		this.transactions = transactions;
		this.clock = clock;
	}

	/**
	 * Leases endpoints with due calls and stores the bodies of calls that are made for
	 * the first time.
	 * @param after the last endpoint of the previous turn: this one starts behind it
	 * @param endpoints the maximum number of endpoints
	 * @param calls the maximum number of calls of each
	 */
	public Turn lease(UUID after, int endpoints, int calls) {
		return this.transactions.byIndex((jdbc) -> {
			IdRange events = events();
			List<Leased> leased = this.store.lease(jdbc, after, events, endpoints);
			if (leased.isEmpty()) {
				return new Turn(List.of(), Turn.START);
			}
			List<DueCall> due = this.store.due(jdbc, leased, events, calls);
			this.store.freeze(jdbc, withNewBody(due));
			this.store.giveUp(jdbc, withoutEvent(due));
			this.store.free(jdbc, withoutCalls(leased, due));
			return new Turn(grouped(leased, due, calls), last(leased, endpoints));
		});
	}

	/**
	 * Records the results of calls and ends the lease. If the lease was lost, nothing is
	 * recorded: the same calls are made again, with the same ids.
	 */
	public void settle(LeasedEndpoint endpoint, List<CallResult> results) {
		boolean held = this.transactions.byIndex((jdbc) -> {
			Optional<Boolean> failingTooLong = this.store.release(jdbc, endpoint, results);
			if (failingTooLong.isEmpty()) {
				return false;
			}
			if (!results.isEmpty()) {
				this.store.settle(jdbc, endpoint, results);
			}
			switchOff(jdbc, endpoint, results, failingTooLong.get());
			return true;
		});
		if (!held && !results.isEmpty()) {
			log.warn("The lease of webhook endpoint {} was lost; {} calls are repeated", endpoint.endpointId(),
					results.size());
		}
	}

	/** Whether there are endpoints, switched off or not. */
	public boolean anyEndpoint() {
		return this.transactions.<Boolean>acrossAccounts(this.store::anyEndpoint);
	}

	/** Whether endpoints on loopback addresses are called. */
	public boolean allowsLoopback() {
		return this.settings.loopback();
	}

	private void switchOff(JdbcClient jdbc, LeasedEndpoint endpoint, List<CallResult> results, boolean failingTooLong) {
		if (results.stream().anyMatch(CallResult::isGone)) {
			this.store.switchOff(jdbc, endpoint.endpointId(), GONE);
		}
		else if (failingTooLong) {
			this.store.switchOff(jdbc, endpoint.endpointId(),
					"All calls failed for " + WebhookCallStore.DISABLE_AFTER.toDays() + " days");
		}
	}

	private List<LeasedEndpoint> grouped(List<Leased> leased, List<DueCall> due, int limit) {
		Map<UUID, List<DueCall>> calls = due.stream()
			.collect(Collectors.groupingBy(DueCall::endpointId, LinkedHashMap::new, Collectors.toList()));
		List<LeasedEndpoint> endpoints = new ArrayList<>();
		for (Leased lease : leased) {
			List<DueCall> own = calls.getOrDefault(lease.endpointId(), List.of());
			if (!own.isEmpty()) {
				secrets(own.getFirst())
					.ifPresent((secrets) -> endpoints.add(endpoint(lease, own, secrets, own.size() >= limit)));
			}
		}
		return endpoints;
	}

	private static LeasedEndpoint endpoint(Leased lease, List<DueCall> due, List<String> secrets, boolean full) {
		DueCall first = due.getFirst();
		List<LeasedEndpoint.Call> calls = due.stream()
			.filter((call) -> call.body() != null)
			.map((call) -> new LeasedEndpoint.Call(call.id(), call.eventId(), call.kind(),
					Objects.requireNonNull(call.body()), call.attempt(), call.trace(), call.firstWaitSeconds()))
			.toList();
		return new LeasedEndpoint(first.endpointId(), first.accountId(), lease.epoch(), first.url(),
				first.svixHeaders(), secrets, calls, full);
	}

	/**
	 * The secrets of an endpoint; empty if they cannot be opened. Its calls then wait
	 * until the lease expires, and those of other endpoints are made.
	 */
	private Optional<List<String>> secrets(DueCall call) {
		String place = SigningSecret.context(call.endpointId(), call.accountId());
		try {
			String secret = this.secrets.open(call.sealedSecret(), place);
			return Optional.of((call.sealedPrevious() != null)
					? List.of(secret, this.secrets.open(call.sealedPrevious(), place)) : List.of(secret));
		}
		catch (IllegalStateException ex) {
			log.error("Webhook endpoint {} cannot be called: {}", call.endpointId(), ex.getMessage());
			return Optional.empty();
		}
	}

	private static List<UUID> withoutCalls(List<Leased> leased, List<DueCall> due) {
		Set<UUID> called = due.stream().map(DueCall::endpointId).collect(Collectors.toSet());
		return leased.stream().map(Leased::endpointId).filter((endpoint) -> !called.contains(endpoint)).toList();
	}

	private static List<DueCall> withNewBody(List<DueCall> due) {
		return due.stream().filter((call) -> !call.stored() && call.body() != null).toList();
	}

	private static List<DueCall> withoutEvent(List<DueCall> due) {
		return due.stream().filter((call) -> call.body() == null).toList();
	}

	/**
	 * The ids of the events that a turn calls for: calls of older ones are rare, and
	 * their partitions are searched from time to time only.
	 */
	private IdRange events() {
		Instant now = this.clock.instant();
		Instant last = this.lastWhole.get();
		return (now.isAfter(last.plus(WHOLE_INTERVAL)) && this.lastWhole.compareAndSet(last, now))
				? new IdRange(new UUID(0, 0), new UUID(-1, -1))
				: new IdRange(IdRange.lowest(now.minus(USUAL_AGE)), IdRange.lowest(now.plus(CLOCK_DIFFERENCE)));
	}

	/** The start of the next turn: the beginning, unless this one was full. */
	private static UUID last(List<Leased> leased, int limit) {
		return (leased.size() < limit) ? Turn.START
				: leased.stream()
					.map((lease) -> lease.endpointId().toString())
					.max(String::compareTo)
					.map(UUID::fromString)
					.orElse(Turn.START);
	}

	/**
	 * A lease before its calls are read.
	 *
	 * @param open whether calls are made that the owner did not request
	 * @param failing whether the last call failed
	 */
	record Leased(UUID endpointId, int epoch, boolean open, boolean failing) {

		static Leased of(Readable row) {
			return new Leased(value(row, "endpoint_id", UUID.class), value(row, "epoch", Integer.class),
					on(row, "open"), on(row, "failing"));
		}

	}

	/**
	 * Endpoints that were leased together.
	 *
	 * @param last the endpoint behind which the next turn starts
	 */
	public record Turn(List<LeasedEndpoint> endpoints, UUID last) {

		/** Sorts before all endpoints. */
		public static final UUID START = new UUID(0, 0);

	}

}
