package dev.mailroom.operator;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The workers of the platform. */
@Service
public class Workers {

	/**
	 * Key of the advisory lock that the worker with the active dispatcher holds: MAILROOM
	 * on a telephone keypad.
	 */
	public static final long DISPATCHER_LOCK = 62_457_666L;

	private final WorkerStore store;

	private final DestinationReportStore destinations;

	Workers(WorkerStore store, DestinationReportStore destinations) {
		this.store = store;
		this.destinations = destinations;
	}

	/** Records that a worker runs, and deletes those not seen for a day. */
	public Mono<Void> seen(Worker.Report report) {
		return this.store.save(report);
	}

	/**
	 * Records the destinations that a worker contacted recently, and deletes those not
	 * reported for a minute.
	 */
	public Mono<Void> contacted(UUID id, List<DestinationReport> reports) {
		return this.destinations.save(id, reports);
	}

	/**
	 * The workers of the last day, the one seen last first, without those that have
	 * drained.
	 */
	@AcrossAccounts("workers belong to no account")
	public Mono<List<Worker>> list() {
		return this.store.list().collectList();
	}

}
