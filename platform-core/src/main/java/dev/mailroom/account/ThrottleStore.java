package dev.mailroom.account;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the throttle: a sliding window of times for each kind and address. */
@Repository
@AcrossAccounts("counts are kept by address, and most guessed addresses have no account")
class ThrottleStore {

	private final DatabaseClient database;

	ThrottleStore(DatabaseClient database) {
		this.database = database;
	}

	/** Time until the count is below the limit again; empty if it is. */
	Mono<Duration> timeToWait(String kind, byte[] key, int limit) {
		return this.database.sql("""
				select ceil(extract(epoch from min(at) + :window::interval - now()))::bigint
				  from throttle, unnest(times) as at
				 where kind = :kind and key = :key and at > now() - :window::interval
				having count(*) >= :limit
				""")
			.bind("kind", kind)
			.bind("key", key)
			.bind("window", Throttle.WINDOW.toString())
			.bind("limit", limit)
			.mapValue(Long.class)
			.one()
			.map((seconds) -> Duration.ofSeconds(Math.max(1, seconds)));
	}

	/**
	 * Counts one more if the limit is not reached, and deletes a few expired rows of
	 * other addresses, so that the table stays small.
	 * @return whether it was counted
	 */
	Mono<Boolean> count(String kind, byte[] key, int limit) {
		return this.database.sql("""
				with expired as (
				    delete from throttle where (kind, key) in (
				        select kind, key from throttle
				         where latest < now() - :window::interval and (kind, key) <> (:kind, :key)
				         order by latest limit 10 for update skip locked))
				insert into throttle as stored (kind, key, times, latest) values (:kind, :key, array[now()], now())
				on conflict (kind, key) do update
				   set times = array(select at from unnest(stored.times) as at
				                      where at > now() - :window::interval order by at) || now(),
				       latest = now()
				 where :limit > (select count(*) from unnest(stored.times) as at where at > now() - :window::interval)
				""")
			.bind("kind", kind)
			.bind("key", key)
			.bind("window", Throttle.WINDOW.toString())
			.bind("limit", limit)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	/** Whether an address was signed in to from a network. */
	Mono<Boolean> isKnown(byte[] key) {
		return this.database.sql("select exists (select from known_client where key = :key)")
			.bind("key", key)
			.mapValue(Boolean.class)
			.one();
	}

	/** Adds a network, and deletes a few that were not used for long. */
	Mono<Void> addKnown(byte[] key) {
		return this.database.sql("""
				with unused as (
				    delete from known_client where key in (
				        select key from known_client where seen_at < now() - interval '180 days' and key <> :key
				         order by seen_at limit 10 for update skip locked))
				insert into known_client as known (key, seen_at) values (:key, now())
				on conflict (key) do update set seen_at = now() where known.seen_at < now() - interval '1 day'
				""").bind("key", key).then();
	}

	Mono<Void> delete(String kind, byte[] key) {
		return this.database.sql("delete from throttle where kind = :kind and key = :key")
			.bind("kind", kind)
			.bind("key", key)
			.then();
	}

}
