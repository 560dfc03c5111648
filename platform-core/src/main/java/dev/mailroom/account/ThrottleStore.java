package dev.mailroom.account;

import java.time.Duration;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

@Repository
@AcrossAccounts("it counts by address, and most addresses that are guessed at belong to no account")
class ThrottleStore {

	private final DatabaseClient database;

	ThrottleStore(DatabaseClient database) {
		this.database = database;
	}

	/** How long until there is room again; empty where there is. */
	Mono<Duration> wait(String kind, byte[] key) {
		return this.database.sql("""
				select ceil(extract(epoch from min(at) + :window::interval - now()))::bigint
				  from throttle, unnest(times) as at
				 where kind = :kind and key = :key and at > now() - :window::interval
				having count(*) >= :most
				""")
			.bind("kind", kind)
			.bind("key", key)
			.bind("window", Throttle.WINDOW.toString())
			.bind("most", Throttle.MOST)
			.mapValue(Long.class)
			.one()
			.map((seconds) -> Duration.ofSeconds(Math.max(1, seconds)));
	}

	/**
	 * Counts one more where there is room, and says whether there was. A few that are
	 * long past are cleared away with it, so that the table stays small by itself.
	 */
	Mono<Boolean> count(String kind, byte[] key) {
		return this.database.sql("""
				with past as (
				    delete from throttle where (kind, key) in (
				        select kind, key from throttle
				         where latest < now() - :window::interval and (kind, key) <> (:kind, :key)
				         order by latest limit 10 for update skip locked))
				insert into throttle as had (kind, key, times, latest) values (:kind, :key, array[now()], now())
				on conflict (kind, key) do update
				   set times = array(select at from unnest(had.times) as at
				                      where at > now() - :window::interval order by at) || now(),
				       latest = now()
				 where :most > (select count(*) from unnest(had.times) as at where at > now() - :window::interval)
				""")
			.bind("kind", kind)
			.bind("key", key)
			.bind("window", Throttle.WINDOW.toString())
			.bind("most", Throttle.MOST)
			.fetch()
			.rowsUpdated()
			.map((rows) -> rows > 0);
	}

	Mono<Void> forget(String kind, byte[] key) {
		return this.database.sql("delete from throttle where kind = :kind and key = :key")
			.bind("kind", kind)
			.bind("key", key)
			.then();
	}

}
