package dev.mailroom.operator;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.AcrossAccounts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the destinations that workers report. */
@Repository
@AcrossAccounts("destinations belong to no account")
class DestinationReportStore {

	private final DatabaseClient database;

	DestinationReportStore(DatabaseClient database) {
		this.database = database;
	}

	/** Replaces the reports of a worker, and deletes those that no worker has renewed. */
	Mono<Void> save(UUID worker, List<DestinationReport> reports) {
		return this.database.sql("""
				with stale as (
				    delete from destination_report where seen_at < now() - interval '1 minute')
				insert into destination_report (worker_id, transport, destination, connections, connection_limit,
				       circuit, closed_until, handed, unreached, busy, distrusted, mailbox, other, seen_at)
				select :worker, report.*, now()
				  from unnest(:transports::text[], :destinations::text[], :connections::int[], :limits::int[],
				              :circuits::text[], :until::timestamptz[], :handed::bigint[], :unreached::bigint[],
				              :busy::bigint[], :distrusted::bigint[], :mailbox::bigint[], :other::bigint[]) as report
				on conflict (worker_id, transport, destination) do update
				   set connections = excluded.connections, connection_limit = excluded.connection_limit,
				       circuit = excluded.circuit, closed_until = excluded.closed_until, handed = excluded.handed,
				       unreached = excluded.unreached, busy = excluded.busy, distrusted = excluded.distrusted,
				       mailbox = excluded.mailbox, other = excluded.other, seen_at = excluded.seen_at
				""")
			.bind("worker", worker)
			.bind("transports", column(reports, DestinationReport::transport, String[]::new))
			.bind("destinations", column(reports, DestinationReport::destination, String[]::new))
			.bind("connections", column(reports, DestinationReport::connections, Integer[]::new))
			.bind("limits", column(reports, DestinationReport::connectionLimit, Integer[]::new))
			.bind("circuits", column(reports, (report) -> report.circuit().contractName(), String[]::new))
			.bind("until", column(reports, DestinationReport::closedUntil, Instant[]::new))
			.bind("handed", column(reports, DestinationReport::handed, Long[]::new))
			.bind("unreached", column(reports, (report) -> report.deferrals().unreached(), Long[]::new))
			.bind("busy", column(reports, (report) -> report.deferrals().busy(), Long[]::new))
			.bind("distrusted", column(reports, (report) -> report.deferrals().distrusted(), Long[]::new))
			.bind("mailbox", column(reports, (report) -> report.deferrals().mailbox(), Long[]::new))
			.bind("other", column(reports, (report) -> report.deferrals().other(), Long[]::new))
			.then();
	}

	private static <T> @Nullable T[] column(List<DestinationReport> reports,
			Function<DestinationReport, @Nullable T> column, IntFunction<@Nullable T[]> array) {
		return reports.stream().map(column).toArray(array);
	}

}
