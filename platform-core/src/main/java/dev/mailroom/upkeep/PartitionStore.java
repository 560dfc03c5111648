package dev.mailroom.upkeep;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * SQL of the monthly partitions. The role of the apps owns no table: functions of the
 * schema's owner create and drop partitions. They fail if a lock is not free at once.
 */
@Repository
@AcrossAccounts("a partition has the rows of all accounts")
class PartitionStore {

	/** Partitions that do not exist, of the months from one to another, oldest first. */
	List<Missing> missing(JdbcClient jdbc, LocalDate from, LocalDate to) {
		return SqlStatement.of("""
				select spec.name as parent, month::date as month
				  from generate_series(:from::timestamp, :to::timestamp, interval '1 month') as month
				 cross join partitioned_tables() as spec
				 where to_regclass(spec.name || to_char(month, '_YYYY_MM')) is null
				 order by month, parent
				""")
			.bind("from", from)
			.bind("to", to)
			.list(jdbc, (row) -> new Missing(text(row, "parent"), value(row, "month", LocalDate.class)));
	}

	/** Creates a partition. */
	boolean create(JdbcClient jdbc, Missing partition) {
		return SqlStatement.of("select create_partition(:parent, :month)")
			.bind("parent", partition.parent())
			.bind("month", partition.month())
			.value(jdbc, Boolean.class);
	}

	/** Months before one that have a partition of mails or of content, oldest first. */
	List<LocalDate> months(JdbcClient jdbc, LocalDate before) {
		return SqlStatement.of("""
				select distinct to_date(right(relname, 7), 'YYYY_MM') as month
				  from pg_inherits join pg_class on pg_class.oid = inhrelid
				 where inhparent in ('email'::regclass, 'email_content'::regclass) and relname ~ '_[0-9]{4}_[0-9]{2}$'
				   and to_date(right(relname, 7), 'YYYY_MM') < :before
				 order by month
				""").bind("before", before).values(jdbc, LocalDate.class);
	}

	/** Whether no mail up to the end of a month is needed any more. */
	boolean isFinished(JdbcClient jdbc, LocalDate month) {
		return SqlStatement.of("select removable_month(:month, true)").bind("month", month).value(jdbc, Boolean.class);
	}

	/**
	 * Removes events that are younger than the month of their mail.
	 * @param end the smallest id of the next month
	 */
	long removeLaterEvents(JdbcClient jdbc, UUID end, int limit) {
		return SqlStatement.of("""
				delete from event where id in (
				    select id from event where email_id < :end and id >= :end limit :limit)
				""").bind("end", end).bind("limit", limit).update(jdbc);
	}

	/**
	 * Drops the partitions of a month with the counts of its mails.
	 * @param contentOnly whether to drop only the content of its mails
	 */
	boolean drop(JdbcClient jdbc, LocalDate month, boolean contentOnly) {
		return SqlStatement.of("select drop_partitions(:month, :content_only)")
			.bind("month", month)
			.bind("content_only", contentOnly)
			.value(jdbc, Boolean.class);
	}

	/** Adds up the slots of the counts of earlier months. */
	long mergeCounts(JdbcClient jdbc, LocalDate before, int limit) {
		return SqlStatement.of("""
				with old as materialized (
				    select account_id, domain_id, status, month, slot from email_count
				     where month < :before and slot <> 0 limit :limit for update skip locked),
				removed as (
				    delete from email_count as counted using old
				     where counted.account_id = old.account_id and counted.domain_id = old.domain_id
				       and counted.status = old.status and counted.month = old.month and counted.slot = old.slot
				    returning counted.*)
				insert into email_count as counted (account_id, domain_id, status, month, slot, count)
				select account_id, domain_id, status, month, 0, sum(count) from removed
				 group by 1, 2, 3, 4 order by 1, 2, 3, 4
				on conflict (account_id, domain_id, status, month, slot) do update
				   set count = counted.count + excluded.count
				""").bind("before", before).bind("limit", limit).update(jdbc);
	}

	/** Number of tables with rows outside of all months. */
	int strays(JdbcClient jdbc) {
		return SqlStatement.of("select cardinality(stray_tables())").value(jdbc, Integer.class);
	}

	/** A partition that does not exist. */
	record Missing(String parent, LocalDate month) {
	}

}
