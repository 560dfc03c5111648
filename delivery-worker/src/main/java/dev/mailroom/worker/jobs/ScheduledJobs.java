package dev.mailroom.worker.jobs;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.domain.DomainWatch;
import dev.mailroom.operator.AutoPause;
import dev.mailroom.upkeep.EventNotices;
import dev.mailroom.upkeep.Partitions;
import dev.mailroom.upkeep.Resealing;
import dev.mailroom.upkeep.Retention;

import org.springframework.stereotype.Component;

/** Jobs that run at intervals. Jobs that others wait for are in {@link NotifiedJobs}. */
@Component
class ScheduledJobs {

	private static final Duration SHORT_INTERVAL = Duration.ofSeconds(10);

	private static final Duration INTERVAL = Duration.ofSeconds(60);

	private static final Duration REMOVAL_INTERVAL = Duration.ofSeconds(20);

	/** Runs of the removal that are left out after one that removed nothing. */
	private static final int MAX_SKIPPED = 2;

	private final AtomicInteger skippedRemovals = new AtomicInteger(MAX_SKIPPED);

	ScheduledJobs(Jobs jobs, DomainWatch domains, EventNotices notices, Retention retention, Partitions partitions,
			AutoPause autoPause, Resealing resealing) {
		jobs.always("DNS records were checked", SHORT_INTERVAL, () -> {
			domains.recheck();
			return 0;
		});
		jobs.always("events were mailed to members", INTERVAL, notices::send);
		jobs.always("accounts were paused for their bounce or complaint rate", INTERVAL, autoPause::pauseRiskyAccounts);
		jobs.always("expired rows were removed", REMOVAL_INTERVAL, () -> removeExpired(retention));
		jobs.always("partitions were created or months dropped", INTERVAL, partitions::maintain);
		jobs.always("secrets were sealed under the current master key", SHORT_INTERVAL, resealing::reseal);
	}

	/**
	 * Removes data whose retention period is over: each minute, and more often while
	 * there is some.
	 */
	private long removeExpired(Retention retention) {
		int skipped = this.skippedRemovals.getAndUpdate((count) -> (count < MAX_SKIPPED) ? count + 1 : 0);
		long removed = (skipped < MAX_SKIPPED) ? 0 : retention.removeExpired();
		if (removed > 0) {
			this.skippedRemovals.set(MAX_SKIPPED);
		}
		return removed;
	}

}
