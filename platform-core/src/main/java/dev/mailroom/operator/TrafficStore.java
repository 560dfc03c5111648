package dev.mailroom.operator;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the counts of the platform. */
@Repository
@AcrossAccounts("counts of the whole platform")
class TrafficStore {

	private final DatabaseClient database;

	TrafficStore(DatabaseClient database) {
		this.database = database;
	}

	/** Adds counts to the current minute, hour and day. */
	Mono<Void> add(TrafficPoint counts) {
		return this.database
			.sql("""
					insert into traffic as counted (period, at, accepted, delivered, bounced, failed, deferred, requests,
					                                errors, sends, late_sends)
					select period, date_trunc(period, now() at time zone 'UTC') at time zone 'UTC',
					       :accepted, :delivered, :bounced, :failed, :deferred, :requests, :errors, :sends, :lateSends
					  from (values ('day'), ('hour'), ('minute')) as current(period) order by period
					on conflict (period, at) do update
					   set accepted = counted.accepted + excluded.accepted, delivered = counted.delivered + excluded.delivered,
					       bounced = counted.bounced + excluded.bounced, failed = counted.failed + excluded.failed,
					       deferred = counted.deferred + excluded.deferred, requests = counted.requests + excluded.requests,
					       errors = counted.errors + excluded.errors, sends = counted.sends + excluded.sends,
					       late_sends = counted.late_sends + excluded.late_sends
					""")
			.bind("accepted", counts.accepted())
			.bind("delivered", counts.delivered())
			.bind("bounced", counts.bounced())
			.bind("failed", counts.failed())
			.bind("deferred", counts.deferred())
			.bind("requests", counts.requests())
			.bind("errors", counts.errors())
			.bind("sends", counts.sends())
			.bind("lateSends", counts.lateSends())
			.then();
	}

	/**
	 * The last periods with the current one, oldest first; those without counts as well.
	 */
	Flux<TrafficPoint> last(TrafficPoint.Period period, int number) {
		return this.database
			.sql("""
					select bucket.at, coalesce(accepted, 0) as accepted, coalesce(delivered, 0) as delivered,
					       coalesce(bounced, 0) as bounced, coalesce(failed, 0) as failed, coalesce(deferred, 0) as deferred,
					       coalesce(requests, 0) as requests, coalesce(errors, 0) as errors, coalesce(sends, 0) as sends,
					       coalesce(late_sends, 0) as late_sends
					  from generate_series(0, :number - 1) as back(n)
					 cross join lateral (
					     select (date_trunc(:period, now() at time zone 'UTC') - n * ('1 ' || :period)::interval)
					            at time zone 'UTC' as at) as bucket
					  left join traffic on traffic.period = :period and traffic.at = bucket.at
					 order by bucket.at
					""")
			.bind("period", period.contractName())
			.bind("number", number)
			.mapProperties(TrafficPoint.class)
			.all();
	}

}
