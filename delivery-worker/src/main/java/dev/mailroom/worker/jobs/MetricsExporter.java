package dev.mailroom.worker.jobs;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.mailroom.observability.AddressMeters;
import dev.mailroom.observability.BacklogMeters;
import dev.mailroom.observability.QueueMeters;
import dev.mailroom.observability.QuotaMeters;
import dev.mailroom.observability.ReputationMeters;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.dispatch.HoldWatch;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/**
 * Updates the gauges that are exported once for all workers, on the worker with the
 * active dispatcher. They are removed when the dispatcher becomes inactive or the
 * database does not reply, because stale values would be misleading.
 */
@Component
class MetricsExporter implements MeterBinder, DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(MetricsExporter.class);

	private static final long INTERVAL_SECONDS = 15;

	/** Longer, because reputations are counted by day. */
	private static final long REPUTATION_INTERVAL_SECONDS = 60;

	/**
	 * Checks for which the gauges remain after the dispatcher was active. It is inactive
	 * between restarts while the broker is unavailable, and the queue must stay visible.
	 */
	private static final int MAX_INACTIVE_CHECKS = 4;

	private final Dispatcher dispatcher;

	private final QueueMeters queue;

	private final QuotaMeters quota;

	private final ReputationMeters reputation;

	private final AddressMeters addresses;

	private final BacklogMeters backlog;

	private final HoldWatch database;

	private final Clock clock;

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2,
			Thread.ofVirtual().name("gauges-", 1).factory());

	/** Number of checks since the dispatcher was active. */
	private volatile int inactiveChecks = MAX_INACTIVE_CHECKS;

	MetricsExporter(Dispatcher dispatcher, QueueMeters queue, QuotaMeters quota, ReputationMeters reputation,
			AddressMeters addresses, BacklogMeters backlog, HoldWatch database, Clock clock) {
		this.dispatcher = dispatcher;
		this.queue = queue;
		this.quota = quota;
		this.reputation = reputation;
		this.addresses = addresses;
		this.backlog = backlog;
		this.database = database;
		this.clock = clock;
		Future<?> _ = this.timer.scheduleWithFixedDelay(this::export, 1, INTERVAL_SECONDS, TimeUnit.SECONDS);
		Future<?> _ = this.timer.scheduleWithFixedDelay(this::exportReputation, 2, REPUTATION_INTERVAL_SECONDS,
				TimeUnit.SECONDS);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("mailroom.dispatcher.active", this.dispatcher, (dispatcher) -> dispatcher.isActive() ? 1 : 0)
			.description("Whether this worker leases deliveries for all workers (1) or stands by (0)")
			.register(registry);
		Gauge
			.builder("mailroom.database.clock.offset", this.database, (watch) -> watch.isRead()
					? Duration.between(this.clock.instant(), watch.databaseTime()).toMillis() / 1000.0 : Double.NaN)
			.baseUnit("seconds")
			.description("Time by which the clock of the database is ahead of that of this worker")
			.register(registry);
	}

	private void export() {
		try {
			this.inactiveChecks = this.dispatcher.isActive() ? 0
					: Math.min(MAX_INACTIVE_CHECKS, this.inactiveChecks + 1);
			if (isRecentlyActive()) {
				this.queue.read();
				this.quota.read();
				this.backlog.read();
			}
			else {
				hide();
			}
		}
		catch (RuntimeException ex) {
			log.warn("The gauges of queue and quotas could not be updated: {}", ex.toString());
			hide();
		}
	}

	private void exportReputation() {
		try {
			if (isRecentlyActive()) {
				this.reputation.read();
				this.addresses.read();
			}
		}
		catch (RuntimeException ex) {
			log.warn("The gauges of reputation and addresses could not be updated: {}", ex.toString());
			this.reputation.hide();
			this.addresses.hide();
		}
	}

	private boolean isRecentlyActive() {
		return this.inactiveChecks < MAX_INACTIVE_CHECKS;
	}

	private void hide() {
		this.queue.hide();
		this.quota.hide();
		this.backlog.hide();
		this.reputation.hide();
		this.addresses.hide();
	}

	@Override
	public void destroy() {
		this.timer.shutdownNow();
	}

}
