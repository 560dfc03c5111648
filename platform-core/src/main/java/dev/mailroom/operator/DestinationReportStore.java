package dev.mailroom.operator;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** SQL of the destinations that workers report. */
@Repository
@AcrossAccounts("destinations belong to no account")
class DestinationReportStore {

	/** Replaces the reports of a worker, and deletes those that no worker has renewed. */
	void save(JdbcClient jdbc, UUID worker, List<DestinationReport> reports) {
		Columns<DestinationReport> columns = Columns.of(reports);
		SqlStatement
			.of("""
					with stale as (
					    delete from destination_report where seen_at < now() - interval '1 minute')
					insert into destination_report (worker_id, transport, destination, connections, connection_limit,
					       circuit, closed_until, handed, unreached, busy, distrusted, mailbox, other, site,
					       profile, seen_at)
					select :worker, report.*, now()
					  from unnest(:transports::text[], :destinations::text[], :connections::int[], :limits::int[],
					              :circuits::text[], :until::timestamptz[], :handed::bigint[], :unreached::bigint[],
					              :busy::bigint[], :distrusted::bigint[], :mailbox::bigint[], :other::bigint[], :sites::text[],
					              :profiles::text[]) as report
					on conflict (worker_id, transport, destination) do update
					   set connections = excluded.connections, connection_limit = excluded.connection_limit,
					       circuit = excluded.circuit, closed_until = excluded.closed_until, handed = excluded.handed,
					       unreached = excluded.unreached, busy = excluded.busy, distrusted = excluded.distrusted,
					       mailbox = excluded.mailbox, other = excluded.other, site = excluded.site,
					       profile = excluded.profile, seen_at = excluded.seen_at
					""")
			.bind("worker", worker)
			.bind("transports", columns.texts(DestinationReport::transport))
			.bind("destinations", columns.texts(DestinationReport::destination))
			.bind("connections", columns.integers(DestinationReport::connections))
			.bind("limits", columns.integers(DestinationReport::connectionLimit))
			.bind("circuits", columns.texts((report) -> report.circuit().contractName()))
			.bind("until", columns.array(DestinationReport::closedUntil, Instant[]::new))
			.bind("handed", columns.longs(DestinationReport::handed))
			.bind("unreached", columns.longs((report) -> report.deferrals().unreached()))
			.bind("busy", columns.longs((report) -> report.deferrals().busy()))
			.bind("distrusted", columns.longs((report) -> report.deferrals().distrusted()))
			.bind("mailbox", columns.longs((report) -> report.deferrals().mailbox()))
			.bind("other", columns.longs((report) -> report.deferrals().other()))
			.bind("sites", columns.texts((report) -> (report.site() != null) ? report.site().key() : null))
			.bind("profiles", columns.texts((report) -> (report.site() != null) ? report.site().profile() : null))
			.update(jdbc);
	}

}
