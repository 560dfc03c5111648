package dev.mailroom.operator;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.JdbcTransactions;
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

	private final JdbcTransactions transactions;

	Workers(WorkerStore store, DestinationReportStore destinations, JdbcTransactions transactions) {
		this.store = store;
		this.destinations = destinations;
		this.transactions = transactions;
	}

	/** Records that a worker runs, and deletes those not seen for a day. */
	public void seen(Worker.Report report) {
		this.transactions.runAcrossAccounts((jdbc) -> this.store.save(jdbc, report));
	}

	/** Number of workers that report that they run and do not drain. */
	public int running() {
		return this.transactions.acrossAccounts(this.store::running);
	}

	/**
	 * Records the destinations that a worker contacted recently, and deletes those not
	 * reported for a minute.
	 */
	public void contacted(UUID id, List<DestinationReport> reports) {
		this.transactions.runAcrossAccounts((jdbc) -> this.destinations.save(jdbc, id, reports));
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
