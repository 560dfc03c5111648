package dev.mailroom.tlsreport;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.Columns;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.tlsreport.OutgoingTlsReports.Attempt;
import dev.mailroom.tlsreport.OutgoingTlsReports.Counted;
import dev.mailroom.tlsreport.OutgoingTlsReports.Due;
import dev.mailroom.tlsreport.OutgoingTlsReports.Result;
import reactor.core.publisher.Flux;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of reports to the domains of recipients. */
@Repository
@AcrossAccounts("reports belong to the domains of recipients")
class OutgoingTlsReportStore {

	/** Kinds of failures that are kept apart for a domain and day. */
	static final int MAX_FAILURES = 100;

	private final DatabaseClient database;

	OutgoingTlsReportStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Adds sessions. Beyond the limit, failures are added up by their result. Workers
	 * wait for each other, so that they keep the limit together.
	 */
	void count(JdbcClient jdbc, Map<TlsSessionGroup, Long> sessions) {
		SqlStatement.of("select pg_advisory_xact_lock(hashtext('tls_session_day'))").run(jdbc);
		Columns<TlsSessionGroup> groups = Columns.of(sessions.keySet());
		SqlStatement
			.of("""
					insert into tls_session_day as counted
					    (domain, day, policy_type, policy_domain, result, source, mx_host, ip, sessions, reason)
					select domain, day, policy_type, policy_domain, result, case when apart then source else '' end,
					       case when apart then mx_host else '' end, case when apart then ip else '' end, sum(sessions),
					       case when bool_and(apart) then max(reason) else '' end
					  from (select added.*,
					               result = '' or known or failures + row_number() over (
					                   partition by domain, day, result = '', known order by sessions desc) <= :max as apart
					          from (select input.*,
					                       exists (select from tls_session_day as old
					                                where (old.domain, old.day, old.policy_type, old.policy_domain, old.result,
					                                       old.source, old.mx_host, old.ip)
					                                    = (input.domain, input.day, input.policy_type, input.policy_domain,
					                                       input.result, input.source, input.mx_host, input.ip)) as known,
					                       (select count(*) from tls_session_day as old
					                         where old.domain = input.domain and old.day = input.day and old.result <> ''
					                           and old.mx_host <> '') as failures
					                  from unnest(:domains::text[], :days::date[], :types::text[], :policies::text[],
					                              :results::text[], :sources::text[], :hosts::text[], :ips::text[],
					                              :sessions::bigint[], :reasons::text[])
					                       as input (domain, day, policy_type, policy_domain, result, source, mx_host, ip,
					                                 sessions, reason)) as added) as separated
					 group by 1, 2, 3, 4, 5, 6, 7, 8
					on conflict (domain, day, policy_type, policy_domain, result, source, mx_host, ip)
					    do update set sessions = counted.sessions + excluded.sessions, reason = excluded.reason
					""")
			.bind("domains", groups.texts(TlsSessionGroup::domain))
			.bind("days", groups.array(TlsSessionGroup::day, LocalDate[]::new))
			.bind("types", groups.texts(TlsSessionGroup::policyType))
			.bind("policies", groups.texts(TlsSessionGroup::policyDomain))
			.bind("results", groups.texts(TlsSessionGroup::result))
			.bind("sources", groups.texts(TlsSessionGroup::source))
			.bind("hosts", groups.texts(TlsSessionGroup::mxHost))
			.bind("ips", groups.texts(TlsSessionGroup::ip))
			.bind("sessions", groups.longs(sessions::get))
			.bind("reasons", groups.texts(TlsSessionGroup::reason))
			.bind("max", MAX_FAILURES)
			.update(jdbc);
	}

	/** Plans reports; the last counts of a day come seconds after its end. */
	void plan(JdbcClient jdbc) {
		SqlStatement.of("""
				insert into tls_report_sent (domain, day, due_at, next_try_at)
				select domain, day, due, due
				  from (select domain, day, (day + 1)::timestamp at time zone 'UTC' + interval '5 minutes'
				               + abs(hashtext(domain)::bigint) % 14100 * interval '1 second' as due
				          from tls_session_day where day < (now() at time zone 'UTC')::date
				         group by domain, day) as ended
				on conflict do nothing
				""").update(jdbc);
	}

	/** Removes old reports, and counts that came after their report. */
	void clean(JdbcClient jdbc) {
		SqlStatement.of("delete from tls_report_sent where finished_at < now() - interval '30 days'").update(jdbc);
		SqlStatement.of("delete from tls_session_day where day < (now() at time zone 'UTC')::date - 3").update(jdbc);
	}

	/** Ends the attempts of a worker that stopped; another one follows, for a day. */
	void endInterrupted(JdbcClient jdbc) {
		SqlStatement.of("""
				with ended as (
				    update tls_report_sent
				       set state = case when now() < due_at + interval '1 day' then 'waiting' else 'lost' end,
				           finished_at = case when now() >= due_at + interval '1 day' then now() end,
				           error = 'The worker stopped'
				     where state = 'sending' and next_try_at <= now() returning domain, day, state)
				delete from tls_session_day using ended
				 where tls_session_day.domain = ended.domain and tls_session_day.day = ended.day
				   and ended.state = 'lost'
				""").update(jdbc);
	}

	Optional<Due> next(JdbcClient jdbc) {
		return SqlStatement.of("""
				update tls_report_sent set next_try_at = now() + interval '10 minutes', attempts = attempts + 1
				 where (domain, day) in (
				           select domain, day from tls_report_sent where state = 'waiting' and next_try_at <= now()
				            order by next_try_at limit 1 for update skip locked)
				returning domain, day, attempts, now() >= due_at + interval '1 day' as last
				""")
			.list(jdbc,
					(row) -> new Due(text(row, "domain"), value(row, "day", LocalDate.class), number(row, "attempts"),
							value(row, "last", Boolean.class)))
			.stream()
			.findFirst();
	}

	List<Counted> sessions(JdbcClient jdbc, Due due) {
		return SqlStatement.of("""
				select * from tls_session_day where domain = :domain and day = :day
				 order by policy_type, policy_domain, sessions desc, result, mx_host, ip, source
				""")
			.bind("domain", due.domain())
			.bind("day", due.day())
			.list(jdbc,
					(row) -> new Counted(
							new TlsSessionGroup(due.domain(), due.day(), text(row, "policy_type"),
									text(row, "policy_domain"), text(row, "result"), text(row, "source"),
									text(row, "mx_host"), text(row, "ip"), text(row, "reason")),
							value(row, "sessions", Long.class)));
	}

	/** The time after which an attempt ends is longer than each attempt. */
	boolean begin(JdbcClient jdbc, Due due) {
		return SqlStatement.of("""
				update tls_report_sent set state = 'sending', next_try_at = now() + interval '30 minutes'
				 where domain = :domain and day = :day and state = 'waiting' and attempts = :attempts
				""")
			.bind("domain", due.domain())
			.bind("day", due.day())
			.bind("attempts", due.attempts())
			.update(jdbc) > 0;
	}

	/**
	 * Records the result of an attempt.
	 * @return whether the report waits for another one
	 */
	boolean record(JdbcClient jdbc, Due due, Attempt attempt, Duration again) {
		boolean waits = attempt.result() != Result.SENT && !due.last();
		SqlStatement.of("""
				update tls_report_sent
				   set state = :state, destination = coalesce(nullif(:destination, ''), destination),
				       error = nullif(:error, ''), successful = :successful, failed = :failed,
				       next_try_at = least(now() + :again * interval '1 millisecond', due_at + interval '1 day'),
				       finished_at = case when not :waits then now() end
				 where domain = :domain and day = :day and attempts = :attempts and state in ('waiting', 'sending')
				""")
			.bind("state", waits ? "waiting" : attempt.result().name().toLowerCase(Locale.ROOT))
			.bind("destination", Objects.requireNonNullElse(attempt.destination(), ""))
			.bind("error", Objects.requireNonNullElse(attempt.error(), ""))
			.bind("successful", attempt.successful())
			.bind("failed", attempt.failed())
			.bind("again", again.toMillis())
			.bind("waits", waits)
			.bind("domain", due.domain())
			.bind("day", due.day())
			.bind("attempts", due.attempts())
			.update(jdbc);
		return waits;
	}

	void removeSessions(JdbcClient jdbc, Due due) {
		SqlStatement.of("delete from tls_session_day where domain = :domain and day = :day")
			.bind("domain", due.domain())
			.bind("day", due.day())
			.update(jdbc);
	}

	void remove(JdbcClient jdbc, Due due) {
		SqlStatement.of("delete from tls_report_sent where domain = :domain and day = :day")
			.bind("domain", due.domain())
			.bind("day", due.day())
			.update(jdbc);
	}

	/** Reports of domains that ask for them. */
	Flux<SentTlsReport> last(int limit) {
		return this.database.sql("""
				select domain, day, state, attempts, destination, error, successful, failed, finished_at
				  from tls_report_sent where finished_at is not null or error is not null or state = 'sending'
				 order by coalesce(finished_at, next_try_at) desc, domain limit :limit
				""").bind("limit", limit).mapProperties(SentTlsReport.class).all();
	}

}
