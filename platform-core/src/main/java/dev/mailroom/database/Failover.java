package dev.mailroom.database;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Replaces the connections of all pools when one of them shows that its server takes no
 * writes any more: the others lead to the same server, and each would fail a request
 * before it is replaced, or serve reads of a standby for as long as it lives.
 */
@Component
final class Failover {

	private static final Logger log = LoggerFactory.getLogger(Failover.class);

	/** Codes of a server that is read-only, and of one that an administrator stops. */
	private static final Set<String> STATES = Set.of("25006", "57P01");

	/** While a server stays read-only, connections are not replaced for each request. */
	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final List<Runnable> pools = new CopyOnWriteArrayList<>();

	private final AtomicLong replaced = new AtomicLong(System.nanoTime() - INTERVAL.toNanos());

	/** Adds a pool by the action that replaces its connections. */
	void add(Runnable replacement) {
		this.pools.add(replacement);
	}

	/** Replaces all connections if the error shows that their server takes no writes. */
	void check(Throwable error) {
		String state = SqlState.of(error);
		if (STATES.contains(state)) {
			replace("SQLSTATE " + state);
		}
	}

	/** Replaces all connections: idle ones now, others when they are returned. */
	void replace(String reason) {
		long last = this.replaced.get();
		long now = System.nanoTime();
		if (now - last >= INTERVAL.toNanos() && this.replaced.compareAndSet(last, now)) {
			log.warn("All connections to the database are replaced: {}", reason);
			this.pools.forEach(Runnable::run);
		}
	}

}
