package dev.mailroom.worker.upkeep;

import java.time.Clock;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.fleet.Workers;
import dev.mailroom.worker.dispatch.Dispatcher;
import dev.mailroom.worker.transport.DestinationActivity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Reports at regular intervals that this worker runs and the destinations it contacts,
 * for operators.
 */
@Component
class WorkerReport {

	private static final Logger log = LoggerFactory.getLogger(WorkerReport.class);

	private final Workers workers;

	private final Dispatcher dispatcher;

	private final DestinationActivity destinations;

	private final UUID id;

	private final String host;

	private final Instant startedAt;

	WorkerReport(Workers workers, Dispatcher dispatcher, DestinationActivity destinations, NoArgGenerator ids,
			Clock clock) {
		this.workers = workers;
		this.dispatcher = dispatcher;
		this.destinations = destinations;
		this.id = ids.generate();
		this.host = host();
		this.startedAt = clock.instant();
	}

	@Scheduled(initialDelay = 1, fixedDelay = 15, timeUnit = TimeUnit.SECONDS)
	Mono<Void> report() {
		return Mono.defer(() -> this.workers.seen(this.id, this.host, this.dispatcher.isActive(), this.startedAt))
			.onErrorResume((error) -> {
				log.debug("The worker could not report that it runs", error);
				return Mono.empty();
			});
	}

	/** Reports the destinations that were contacted recently. */
	@Scheduled(initialDelay = 2, fixedDelay = 3, timeUnit = TimeUnit.SECONDS)
	Mono<Void> reportDestinations() {
		return Mono.defer(() -> this.workers.contacted(this.id, this.destinations.reports())).onErrorResume((error) -> {
			log.debug("The worker could not report its destinations", error);
			return Mono.empty();
		});
	}

	/** The name of the machine, as containers set it. */
	private static String host() {
		String name = System.getenv("HOSTNAME");
		return (name != null && !name.isBlank()) ? name : "localhost";
	}

}
