package dev.mailroom.worker.jobs;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.operator.DestinationReport;
import dev.mailroom.operator.Worker;
import dev.mailroom.operator.Workers;
import dev.mailroom.source.SendingSource;
import dev.mailroom.source.SendingSources;
import dev.mailroom.source.SourceWarmup;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.send.LeaseQueue;
import dev.mailroom.worker.smtp.client.DestinationActivity;
import dev.mailroom.worker.smtp.client.LocalSources;
import dev.mailroom.worker.smtp.client.WorkerGroups;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Reports at regular intervals that this worker runs, the use of its sender threads and
 * the destinations it contacts, for operators.
 */
@Component
class WorkerReport implements DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(WorkerReport.class);

	private static final int INTERVAL_SECONDS = 3;

	/** Reports that may be left out in succession because nothing has changed. */
	private static final int MAX_UNCHANGED = 2;

	/** Reports until all that were written before are older than a minute. */
	private static final int MAX_EMPTY_REPORTS = 25;

	private final Workers workers;

	private final Dispatcher dispatcher;

	private final LeaseQueue leases;

	private final DestinationActivity destinations;

	private final LocalSources local;

	private final SendingSources sources;

	private final WorkerGroups groups;

	private final ApplicationContext context;

	private final UUID id;

	private final String host;

	private final Instant startedAt;

	private volatile boolean draining;

	private volatile Worker.@Nullable Report reported;

	/** Probes of sending addresses between two reports of the same result. */
	private static final int SOURCE_PROBES = 10;

	/** Consecutive reports that were left out. */
	private final AtomicInteger unchanged = new AtomicInteger();

	/** Consecutive reports without a destination. */
	private volatile int emptyReports;

	private volatile List<SendingSource.Presence> reportedSources = List.of();

	private int probes;

	private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2,
			Thread.ofVirtual().name("report-", 1).factory());

	WorkerReport(Workers workers, Dispatcher dispatcher, LeaseQueue leases, DestinationActivity destinations,
			LocalSources local, SendingSources sources, WorkerGroups groups, ApplicationContext context,
			NoArgGenerator ids, Clock clock) {
		this.workers = workers;
		this.dispatcher = dispatcher;
		this.leases = leases;
		this.destinations = destinations;
		this.local = local;
		this.sources = sources;
		this.groups = groups;
		this.context = context;
		this.id = ids.generate();
		this.host = host();
		this.startedAt = clock.instant();
		Future<?> _ = this.timer.scheduleWithFixedDelay(this::report, 1, INTERVAL_SECONDS, TimeUnit.SECONDS);
		Future<?> _ = this.timer.scheduleWithFixedDelay(this::reportDestinations, 2, INTERVAL_SECONDS,
				TimeUnit.SECONDS);
		Future<?> _ = this.timer.scheduleWithFixedDelay(this::reportSources, 2, INTERVAL_SECONDS, TimeUnit.SECONDS);
	}

	/** Reports the state if it has changed, and every 9 s otherwise. */
	void report() {
		try {
			Worker.Report status = status();
			if (!status.equals(this.reported) || this.unchanged.getAndIncrement() >= MAX_UNCHANGED) {
				this.workers.seen(status);
				this.reported = status;
				this.unchanged.set(0);
			}
		}
		catch (RuntimeException ex) {
			log.debug("The worker could not report that it runs", ex);
		}
	}

	private Worker.Report status() {
		LeaseQueue.Use use = this.leases.use();
		return new Worker.Report(this.id, this.host, this.startedAt, this.dispatcher.isActive(), this.draining,
				use.inHand(), use.threads(), use.busy());
	}

	/**
	 * Reports the destinations that were contacted recently, if there are any, and for
	 * some time after the last one, so that its report is deleted.
	 */
	private void reportDestinations() {
		try {
			List<DestinationReport> reports = this.destinations.reports();
			this.emptyReports = reports.isEmpty() ? this.emptyReports + 1 : 0;
			if (this.emptyReports <= MAX_EMPTY_REPORTS) {
				this.workers.contacted(this.id, reports);
			}
		}
		catch (RuntimeException ex) {
			log.debug("The worker could not report its destinations", ex);
		}
	}

	/**
	 * Tries the sending addresses, and reports those that this worker has when they have
	 * changed, and every 30 s.
	 */
	private void reportSources() {
		try {
			List<SourceWarmup.Counted> counted = this.local.takeCounted();
			if (!counted.isEmpty()) {
				this.sources.count(counted);
			}
			List<SendingSource.Presence> present = this.local.probe();
			boolean repeats = ++this.probes % SOURCE_PROBES == 0 && !present.isEmpty();
			if (repeats || !present.equals(this.reportedSources)) {
				this.sources.seen(this.id, this.groups.own(), present);
				this.reportedSources = present;
			}
			if (this.probes % SOURCE_PROBES == 0) {
				this.local.export(this.local.isWarmingUp() ? this.sources.days() : List.of());
			}
		}
		catch (RuntimeException ex) {
			log.debug("The worker could not report its sending addresses", ex);
		}
	}

	/** Reports from the beginning of a shutdown on that the worker drains. */
	@EventListener
	void closing(ContextClosedEvent event) {
		if (event.getApplicationContext().equals(this.context)) {
			this.draining = true;
			this.timer.execute(this::report);
		}
	}

	@Override
	public void destroy() {
		this.timer.shutdownNow();
	}

	/** The name of the machine, as containers set it. */
	private static String host() {
		String name = System.getenv("HOSTNAME");
		return (name != null && !name.isBlank()) ? name : "localhost";
	}

}
