package dev.mailroom.trackingdomain;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import dev.mailroom.Parallel;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.event.Events;
import dev.mailroom.trackingdomain.TrackingDomain.Due;
import dev.mailroom.trackingdomain.TrackingDomain.State;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Service;

/** Checks names, and returns new mails to the shared name if one fails. */
@Service
public class TrackingWatch {

	private static final Logger log = LoggerFactory.getLogger(TrackingWatch.class);

	/** Names taken together. After a crash, the rest of a batch waits an interval. */
	private static final int BATCH_SIZE = 64;

	private static final int CONCURRENCY = 8;

	/** Interval of the checks of names that work. */
	private static final Duration INTERVAL = Duration.ofMinutes(10);

	/** Bounds of the interval for names that do not work; it grows with their age. */
	private static final Duration SHORTEST = Duration.ofMinutes(1);

	private static final Duration LONGEST = Duration.ofHours(1);

	private static final int SHARE_OF_AGE = 10;

	/** Time for which a name may fail before new mails return to the shared name. */
	private static final Duration GRACE = Duration.ofHours(1);

	private final TrackingDomainStore store;

	private final JdbcTransactions transactions;

	private final Events events;

	private final Clock clock;

	TrackingWatch(TrackingDomainStore store, JdbcTransactions transactions, Events events, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.events = events;
		this.clock = clock;
	}

	/**
	 * Checks a batch of the names that are due, and forgets those that were removed long
	 * ago.
	 * @return number of names that were checked
	 */
	public long run(Function<Due, TrackingFinding> probe) {
		this.transactions.runAcrossAccounts((jdbc) -> this.store.deleteRemoved(jdbc, TrackingDomains.KEPT));
		List<Due> due = this.transactions.acrossAccounts((jdbc) -> this.store.takeDue(jdbc, BATCH_SIZE, INTERVAL));
		return Parallel.map(due, CONCURRENCY, (name) -> check(name, probe)).size();
	}

	/** The error of one name does not stop the checks of the others. */
	private Due check(Due due, Function<Due, TrackingFinding> probe) {
		try {
			save(due, probe.apply(due));
		}
		catch (RuntimeException ex) {
			log.warn("The tracking domain {} could not be checked and waits for its next check: {}", due.id(),
					ex.toString());
		}
		return due;
	}

	private void save(Due due, TrackingFinding finding) {
		Scope scope = Scope.of(due.accountId());
		this.transactions.run(scope, (jdbc) -> this.store.lock(jdbc, scope, due.id()).ifPresent((name) -> {
			State state = name.state().after(finding);
			this.store.save(jdbc, scope, due.id(), state, finding.error(), nextIn(name, state));
			if (this.store.markFailed(jdbc, scope, due.id(), GRACE)) {
				this.store.lock(jdbc, scope, due.id())
					.ifPresent((failed) -> this.events.record(jdbc, List.of(failed.failed())));
			}
		}));
	}

	private Duration nextIn(TrackingDomain name, State state) {
		if (state == State.ACTIVE) {
			return INTERVAL;
		}
		Instant since = (name.failingSince() != null) ? name.failingSince() : name.createdAt();
		Instant begin = (state == State.FAILING && name.failingSince() == null) ? this.clock.instant() : since;
		Duration share = Duration.between(begin, this.clock.instant()).dividedBy(SHARE_OF_AGE);
		return (share.compareTo(SHORTEST) < 0) ? SHORTEST : (share.compareTo(LONGEST) > 0) ? LONGEST : share;
	}

}
