package dev.mailroom.upkeep;

import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * SQL of the partitions. The role of the apps owns no table: functions of the schema's
 * owner create and drop partitions. They fail if a lock is not free at once.
 */
@Repository
@AcrossAccounts("a partition has the rows of all accounts")
class PartitionStore {

	/**
	 * Partitions that do not exist, oldest first.
	 * @param byDay whether days have partitions, and not months
	 */
	List<Missing> missing(JdbcClient jdbc, boolean byDay, LocalDate today) {
		return SqlStatement.of("select * from missing_partitions(:by_day, :today)")
			.bind("by_day", byDay)
			.bind("today", today)
			.list(jdbc, (row) -> new Missing(text(row, "parent"), value(row, "first", LocalDate.class),
					value(row, "until", LocalDate.class)));
	}

	/** Creates a partition. */
	boolean create(JdbcClient jdbc, Missing partition) {
		return SqlStatement.of("select create_partition(:parent, :first, :until)")
			.bind("parent", partition.parent())
			.bind("first", partition.first())
			.bind("until", partition.until())
			.value(jdbc, Boolean.class);
	}

	/** Whether the days of a month are to get partitions, or those of an earlier one. */
	boolean isByDay(JdbcClient jdbc, LocalDate month) {
		return SqlStatement.of("select days_from() <= first_of(:month)")
			.bind("month", month)
			.value(jdbc, Boolean.class);
	}

	/**
	 * Removes the empty partitions of later months, whose days get partitions instead.
	 */
	boolean divide(JdbcClient jdbc, LocalDate month) {
		return SqlStatement.of("select partition_by_day(:month)").bind("month", month).value(jdbc, Boolean.class);
	}

	/** Ends of partitions of a kind up to a day, oldest first. */
	List<LocalDate> ends(JdbcClient jdbc, Kind kind, LocalDate day) {
		return SqlStatement.of("""
				select distinct until from partition_specs() cross join lateral partitions_of(name)
				 where kind = :kind and until <= :day order by until
				""").bind("kind", kind.lowerCase()).bind("day", day).values(jdbc, LocalDate.class);
	}

	/**
	 * Removes events that are younger than the partition of their mail.
	 * @param end the smallest id after the partition
	 */
	long removeLaterEvents(JdbcClient jdbc, UUID end, int limit) {
		return SqlStatement.of("""
				delete from event where id in (
				    select id from event where email_id < :end and id >= :end limit :limit)
				""").bind("end", end).bind("limit", limit).update(jdbc);
	}

	/**
	 * Whether no row up to a day is needed any more, apart from later events. The rows of
	 * an account that leaves this cell are compared with those of the other one.
	 */
	boolean isFinished(JdbcClient jdbc, LocalDate until, Kind kind) {
		return SqlStatement.of("""
				select removable(:until, :kind)
				   and not exists (select from account_move where phase in ('copying', 'following', 'stopped'))
				""")
			.bind("until", until)
			.bind("kind", (kind == Kind.MAIL) ? Kind.CONTENT.lowerCase() : kind.lowerCase())
			.value(jdbc, Boolean.class);
	}

	/** Drops the partitions that end with a day, with the counts of their rows. */
	boolean drop(JdbcClient jdbc, LocalDate until, Kind kind) {
		return SqlStatement.of("select drop_partitions(:until, :kind)")
			.bind("until", until)
			.bind("kind", kind.lowerCase())
			.value(jdbc, Boolean.class);
	}

	/**
	 * Adds up the slots of the counts of mails.
	 * @param month months before it are added up
	 * @param day days before it are added up
	 */
	long mergeCounts(JdbcClient jdbc, LocalDate month, LocalDate day, int limit) {
		return SqlStatement.of("""
				with old as materialized (
				    select account_id, domain_id, status, month, slot from email_count
				     where month < :day and slot <> 0 and (month < :month or first_of(month) >= days_from())
				     limit :limit for update skip locked),
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
				""").bind("month", month).bind("day", day).bind("limit", limit).update(jdbc);
	}

	/** Adds up the slots of the counts of webhook calls, as {@link #mergeCounts} does. */
	long mergeCallCounts(JdbcClient jdbc, LocalDate month, LocalDate day, int limit) {
		return SqlStatement
			.of("""
					with old as materialized (
					    select endpoint_id, period, slot from webhook_delivery_count
					     where period < :day and slot <> 0 and period > '-infinity'
					       and (period < :month or first_of(period) >= days_from())
					     limit :limit for update skip locked),
					removed as (
					    delete from webhook_delivery_count as counted using old
					     where counted.endpoint_id = old.endpoint_id and counted.period = old.period and counted.slot = old.slot
					    returning counted.*)
					insert into webhook_delivery_count as counted (endpoint_id, period, slot, account_id, count)
					select endpoint_id, period, 0, account_id, sum(count) from removed group by 1, 2, 4 order by 1, 2
					on conflict (endpoint_id, period, slot) do update set count = counted.count + excluded.count
					""")
			.bind("month", month)
			.bind("day", day)
			.bind("limit", limit)
			.update(jdbc);
	}

	/** Number of tables with rows outside of all partitions. */
	int strays(JdbcClient jdbc) {
		return SqlStatement.of("select cardinality(stray_tables())").value(jdbc, Integer.class);
	}

	/**
	 * A partition that does not exist.
	 *
	 * @param until the day after its last one
	 */
	record Missing(String parent, LocalDate first, LocalDate until) {

		boolean isDay() {
			return this.until.equals(this.first.plusDays(1));
		}

	}

	/** Partitions that are dropped together; those of content also with mails. */
	enum Kind {

		MAIL, CONTENT, CALL;

		private String lowerCase() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
