package dev.mailroom.worker.jobs;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.operator.DestinationReport;
import dev.mailroom.operator.Worker;
import dev.mailroom.operator.Workers;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.send.LeaseQueue;
import dev.mailroom.worker.smtp.client.DestinationActivity;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
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

	private final ApplicationContext context;

	private final UUID id;

	private final String host;

	private final Instant startedAt;

	private volatile boolean draining;

	private volatile Worker.@Nullable Report reported;

	/** Consecutive reports that were left out. */
	private final AtomicInteger unchanged = new AtomicInteger();

	/** Consecutive reports without a destination. */
	private volatile int emptyReports;

	private final Sinks.Empty<Void> ended = Sinks.empty();

	WorkerReport(Workers workers, Dispatcher dispatcher, LeaseQueue leases, DestinationActivity destinations,
			ApplicationContext context, NoArgGenerator ids, Clock clock) {
		this.workers = workers;
		this.dispatcher = dispatcher;
		this.leases = leases;
		this.destinations = destinations;
		this.context = context;
		this.id = ids.generate();
		this.host = host();
		this.startedAt = clock.instant();
	}

	/** Reports the state if it has changed, and every 9 s otherwise. */
	@Scheduled(initialDelay = 1, fixedDelay = INTERVAL_SECONDS, timeUnit = TimeUnit.SECONDS)
	Mono<Void> report() {
		return Mono.defer(() -> {
			Worker.Report status = status();
			if (status.equals(this.reported) && this.unchanged.getAndIncrement() < MAX_UNCHANGED) {
				return Mono.<Void>empty();
			}
			return this.workers.seen(status).then(Mono.<Void>fromRunnable(() -> {
				this.reported = status;
				this.unchanged.set(0);
			}));
		}).onErrorResume((error) -> {
			log.debug("The worker could not report that it runs", error);
			return Mono.empty();
		});
	}

	private Worker.Report status() {
		LeaseQueue.Use use = this.leases.use();
		return new Worker.Report(this.id, this.host, this.startedAt, this.dispatcher.isActive(), this.draining,
				use.inHand(), use.lanes(), use.busy());
	}

	/**
	 * Reports the destinations that were contacted recently, if there are any, and for
	 * some time after the last one, so that its report is deleted.
	 */
	@Scheduled(initialDelay = 2, fixedDelay = INTERVAL_SECONDS, timeUnit = TimeUnit.SECONDS)
	Mono<Void> reportDestinations() {
		return Mono.defer(() -> {
			List<DestinationReport> reports = this.destinations.reports();
			this.emptyReports = reports.isEmpty() ? this.emptyReports + 1 : 0;
			return (this.emptyReports <= MAX_EMPTY_REPORTS) ? this.workers.contacted(this.id, reports)
					: Mono.<Void>empty();
		}).onErrorResume((error) -> {
			log.debug("The worker could not report its destinations", error);
			return Mono.empty();
		});
	}

	/**
	 * Reports from the beginning of a shutdown on that the worker drains: scheduled
	 * methods are not called any more.
	 */
	@EventListener
	Flux<Void> closing(ContextClosedEvent event) {
		if (!event.getApplicationContext().equals(this.context)) {
			return Flux.empty();
		}
		this.draining = true;
		return Flux.interval(Duration.ZERO, Duration.ofSeconds(INTERVAL_SECONDS))
			.onBackpressureDrop()
			.concatMap((_) -> report(), 1)
			.takeUntilOther(this.ended.asMono());
	}

	@Override
	public void destroy() {
		this.ended.tryEmitEmpty();
	}

	/** The name of the machine, as containers set it. */
	private static String host() {
		String name = System.getenv("HOSTNAME");
		return (name != null && !name.isBlank()) ? name : "localhost";
	}

}
