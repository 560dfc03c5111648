package dev.mailroom.domain;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.spi.Readable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of DKIM keys. */
@Repository
class DkimKeyStore {

	private static final String KEYS = """
			select dkim_key.*, domain.name as domain from dkim_key join domain on domain.id = dkim_key.domain_id
			""";

	private final DatabaseClient database;

	DkimKeyStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("the worker signs every account's mail")
	List<DkimKey> active(JdbcClient jdbc, UUID domainId) {
		return SqlStatement.of(KEYS + " where domain_id = :domain and active order by algorithm desc, selector")
			.bind("domain", domainId)
			.list(jdbc, DkimKeyStore::key);
	}

	@AcrossAccounts("the platform's key signs every account's mail")
	List<DkimKey> active(JdbcClient jdbc, UUID account, String domain) {
		return SqlStatement
			.of(KEYS + " where domain.name = :name and domain.account_id = :account and active order by selector")
			.bind("name", domain)
			.bind("account", account)
			.list(jdbc, DkimKeyStore::key);
	}

	@AcrossAccounts("the worker signs every account's mail")
	boolean domainExists(JdbcClient jdbc, UUID domainId) {
		return SqlStatement.of("select exists (select from domain where id = :domain)")
			.bind("domain", domainId)
			.value(jdbc, Boolean.class);
	}

	@AcrossAccounts("the age of all accounts' keys is monitored")
	double oldestSeconds(JdbcClient jdbc) {
		return SqlStatement
			.of("select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from dkim_key where active")
			.value(jdbc, Double.class);
	}

	/** All keys of a domain, active ones first. */
	Flux<DkimKey> of(Scope scope, UUID domainId) {
		return this.database.sql(KEYS + """
				 where domain_id = :domain and dkim_key.account_id = :account
				 order by active desc, algorithm desc, selector
				""").bind("domain", domainId).bind("account", scope.account()).map(DkimKeyStore::key).all();
	}

	/** All keys of several domains, active ones first. */
	Flux<DkimKey> of(Scope scope, Collection<UUID> domainIds) {
		return this.database.sql(KEYS + """
				 where domain_id = any(:domains) and dkim_key.account_id = :account
				 order by active desc, algorithm desc, selector
				""")
			.bind("domains", domainIds.toArray(UUID[]::new))
			.bind("account", scope.account())
			.map(DkimKeyStore::key)
			.all();
	}

	private static DkimKey key(Readable row) {
		return new DkimKey(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), text(row, "domain"), text(row, "selector"), text(row, "algorithm"),
				text(row, "public_key"), value(row, "sealed_private_key", byte[].class), on(row, "active"));
	}

	Mono<Void> insert(DkimKey key) {
		return this.database.sql("""
				insert into dkim_key (id, account_id, domain_id, selector, algorithm, public_key, sealed_private_key,
				                      active, created_at)
				values (:id, :account, :domain, :selector, :algorithm, :public, :private, :active, now())
				""")
			.bind("id", key.id())
			.bind("account", key.accountId())
			.bind("domain", key.domainId())
			.bind("selector", key.selector())
			.bind("algorithm", key.algorithm())
			.bind("public", key.publicKey())
			.bind("private", key.sealedPrivateKey())
			.bind("active", key.active())
			.then();
	}

	/**
	 * Makes the keys with these selectors active and deletes the previous active ones. If
	 * a later rotation has deleted the keys, nothing changes.
	 */
	Mono<Void> activate(Scope scope, UUID domainId, String[] selectors) {
		return this.database.sql("""
				with activated as (
				    update dkim_key set active = true
				     where domain_id = :domain and account_id = :account and selector = any(:selectors)
				    returning id)
				delete from dkim_key
				 where domain_id = :domain and account_id = :account and active and selector <> all(:selectors)
				   and (select count(*) from activated) = cardinality(:selectors)
				""").bind("domain", domainId).bind("account", scope.account()).bind("selectors", selectors).then();
	}

	/** Deletes the keys that are not active yet. */
	Mono<Void> deleteInactive(Scope scope, UUID domainId) {
		return this.database
			.sql("delete from dkim_key where domain_id = :domain and account_id = :account and not active")
			.bind("domain", domainId)
			.bind("account", scope.account())
			.then();
	}

}
