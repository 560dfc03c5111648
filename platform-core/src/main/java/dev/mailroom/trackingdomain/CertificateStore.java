package dev.mailroom.trackingdomain;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.trackingdomain.Certificates.Order;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of certificates of tracking domains, of their orders and challenges. */
@Repository
@AcrossAccounts("certificates of all accounts are ordered, and the account of a connection is not known")
class CertificateStore {

	private final DatabaseClient database;

	CertificateStore(DatabaseClient database) {
		this.database = database;
	}

	/** The name that is due for the longest time, unless an hour has too many orders. */
	Optional<Order> due(JdbcClient jdbc, int maxOrders, Duration hour) {
		return SqlStatement
			.of("""
					select gen_random_uuid() as id, id as domain, account_id, name, order_failures from tracking_domain
					 where (state <> 'pending' or chain is not null)
					   and (renew_at is null or renew_at <= now())
					   and (select count(*) < :most from acme_order where began_at > now() - :hour * interval '1 millisecond')
					 order by expires_at nulls last, renew_at nulls first limit 1 for update skip locked
					""")
			.bind("most", maxOrders)
			.bind("hour", hour.toMillis())
			.list(jdbc,
					(row) -> new Order(value(row, "id", UUID.class), value(row, "domain", UUID.class),
							value(row, "account_id", UUID.class), text(row, "name"), number(row, "order_failures")))
			.stream()
			.findFirst();
	}

	/** Records that an order begins; a crash of the worker delays the next one. */
	void begin(JdbcClient jdbc, Order order, Duration lease) {
		SqlStatement.of("insert into acme_order (id, account_id, name, began_at) values (:id, :account, :name, now())")
			.bind("id", order.id())
			.bind("account", order.accountId())
			.bind("name", order.name())
			.update(jdbc);
		SqlStatement
			.of("update tracking_domain set renew_at = now() + :lease * interval '1 millisecond' where id = :domain")
			.bind("lease", lease.toMillis())
			.bind("domain", order.domain())
			.update(jdbc);
	}

	/** Stores a certificate. */
	void issued(JdbcClient jdbc, Order order, byte[] sealedKey, String chain, Instant expires, Instant renew) {
		SqlStatement.of("""
				update tracking_domain
				   set sealed_key = :key, chain = :chain, expires_at = :expires, renew_at = :renew, order_failures = 0,
				       check_at = case when check_at is not null then now() end
				 where id = :domain
				""")
			.bind("key", sealedKey)
			.bind("chain", chain)
			.bind("expires", expires)
			.bind("renew", renew)
			.bind("domain", order.domain())
			.update(jdbc);
		SqlStatement.of("update acme_order set result = 'issued' where id = :id").bind("id", order.id()).update(jdbc);
	}

	/** Records that an order failed. */
	void failed(JdbcClient jdbc, Order order, String error, Duration again) {
		SqlStatement.of("""
				update tracking_domain
				   set order_failures = order_failures + 1, renew_at = now() + :again * interval '1 millisecond'
				 where id = :domain
				""").bind("again", again.toMillis()).bind("domain", order.domain()).update(jdbc);
		SqlStatement.of("update acme_order set result = 'failed', error = :error where id = :id")
			.bind("error", error)
			.bind("id", order.id())
			.update(jdbc);
	}

	/** Removes old orders and challenges, and ends orders of a worker that stopped. */
	void clean(JdbcClient jdbc, Duration kept, Duration lease) {
		SqlStatement.of("delete from acme_order where began_at < now() - :kept * interval '1 millisecond'")
			.bind("kept", kept.toMillis())
			.update(jdbc);
		SqlStatement.of("""
				update acme_order set result = 'failed', error = 'The worker stopped'
				 where result = 'running' and began_at < now() - :lease * interval '1 millisecond'
				""").bind("lease", lease.toMillis()).update(jdbc);
		SqlStatement.of("delete from acme_challenge where expires_at < now()").update(jdbc);
	}

	/** Stores what the API answers to the authority. */
	void answer(JdbcClient jdbc, String token, String answer, Duration lifetime) {
		SqlStatement.of("""
				insert into acme_challenge (token, answer, expires_at)
				values (:token, :answer, now() + :lifetime * interval '1 millisecond')
				on conflict (token) do update set answer = excluded.answer, expires_at = excluded.expires_at
				""").bind("token", token).bind("answer", answer).bind("lifetime", lifetime.toMillis()).update(jdbc);
	}

	Mono<String> answer(String token) {
		return this.database.sql("select answer from acme_challenge where token = :token and expires_at > now()")
			.bind("token", token)
			.mapValue(String.class)
			.one();
	}

	/** The key of the account at an authority. */
	Optional<Sealed> account(JdbcClient jdbc, String directory) {
		return SqlStatement.of("select id, sealed_key from acme_account where directory = :directory")
			.bind("directory", directory)
			.list(jdbc, CertificateStore::sealed)
			.stream()
			.findFirst();
	}

	void saveAccount(JdbcClient jdbc, String directory, Sealed key) {
		SqlStatement.of("""
				insert into acme_account (id, directory, sealed_key, created_at) values (:id, :directory, :key, now())
				on conflict (directory) do nothing
				""").bind("id", key.id()).bind("directory", directory).bind("key", key.key()).update(jdbc);
	}

	/** The certificate of a name; the newest, if it has two owners. */
	Mono<Stored> certificate(String name, Duration kept) {
		return this.database.sql("""
				select id, sealed_key, chain from tracking_domain
				 where name = :name and chain is not null and expires_at > now()
				   and (removed_at is null or removed_at > now() - :kept * interval '1 second')
				 order by expires_at desc limit 1
				""")
			.bind("name", name)
			.bind("kept", kept.toSeconds())
			.map((row) -> new Stored(sealed(row), text(row, "chain")))
			.first();
	}

	/** Numbers of names that have certificates, lack them, or have expired ones. */
	Map<String, Long> counts(JdbcClient jdbc) {
		return SqlStatement.of("""
				select case when chain is null then 'missing' when expires_at <= now() then 'expired'
				            when order_failures > 0 then 'failing' else 'valid' end as state, count(*) as count
				  from tracking_domain where state <> 'pending' or chain is not null group by 1
				""")
			.list(jdbc, (row) -> Map.entry(text(row, "state"), value(row, "count", Long.class)))
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	/** The last orders, the newest first. */
	Flux<CertificateOrder> orders(int limit) {
		return this.database
			.sql("select account_id, name, result, error, began_at from acme_order order by began_at desc limit :limit")
			.bind("limit", limit)
			.mapProperties(CertificateOrder.class)
			.all();
	}

	private static Sealed sealed(Readable row) {
		return new Sealed(value(row, "id", UUID.class), value(row, "sealed_key", byte[].class));
	}

	/** A sealed key with the id of its row. */
	record Sealed(UUID id, byte[] key) {
	}

	/** A stored certificate. */
	record Stored(Sealed key, String chain) {
	}

}
