package dev.mailroom.tlspolicy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.mailroom.database.JdbcTransactions;

import org.springframework.stereotype.Service;

/**
 * Domains whose servers had TLSA records that DNSSEC proved (RFC 7672), which all workers
 * share. The methods block.
 */
@Service
public class DaneDomains {

	/** Time for which a domain is remembered. */
	private static final Duration KEPT = Duration.ofDays(30);

	private final DaneDomainStore store;

	private final JdbcTransactions threads;

	private final Clock clock;

	DaneDomains(DaneDomainStore store, JdbcTransactions threads, Clock clock) {
		this.store = store;
		this.threads = threads;
		this.clock = clock;
	}

	/** The result of the last session with a domain; empty if it was not seen lately. */
	public Optional<Seen> find(String domain) {
		return this.threads.acrossAccounts((jdbc) -> this.store.find(jdbc, domain, this.clock.instant()));
	}

	/** Saves that a domain was seen, and removes some that were not for a long time. */
	public void save(String domain, String result) {
		Instant now = this.clock.instant();
		this.threads.runAcrossAccounts((jdbc) -> {
			this.store.save(jdbc, domain, result, now.plus(KEPT));
			this.store.removeExpired(jdbc, now);
		});
	}

	/**
	 * A domain that was seen.
	 *
	 * @param result verified, encrypted or refused
	 */
	public record Seen(Instant secureUntil, String result) {
	}

}
