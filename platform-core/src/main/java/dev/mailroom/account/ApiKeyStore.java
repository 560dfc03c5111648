package dev.mailroom.account;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import dev.mailroom.domain.Domain;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of API keys. */
@Repository
class ApiKeyStore {

	private final DatabaseClient database;

	ApiKeyStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("a key is looked up before its account is known; the function returns one key only")
	Mono<StoredKey> findByPrefix(String prefix) {
		return this.database.sql("select * from api_key_by_prefix(:prefix)")
			.bind("prefix", prefix)
			.mapProperties(StoredKey.class)
			.one();
	}

	/** The status of one of the account's domains; empty if there is none. */
	Mono<Domain.Status> domainStatus(Scope scope, UUID domainId) {
		return this.database.sql("select status from domain where id = :id and account_id = :account")
			.bind("id", domainId)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one()
			.map(Domain.Status::of);
	}

	/** Inserts a key; empty if the account has one of that name. */
	Mono<ApiKey> insert(ApiKey key, byte[] secretHash) {
		DatabaseClient.GenericExecuteSpec insert = this.database.sql("""
				insert into api_key (id, account_id, domain_id, name, prefix, secret_hash, permissions, created_at,
				                     expires_at, created_by)
				values (:id, :account, :domain, :name, :prefix, :hash, :permissions, :created, :expires, :by)
				on conflict (account_id, name) do nothing returning *
				""")
			.bind("id", key.id())
			.bind("account", key.accountId())
			.bind("name", key.name())
			.bind("prefix", key.prefix())
			.bind("hash", secretHash)
			.bind("permissions", key.permissions().toArray(String[]::new))
			.bind("created", key.createdAt());
		return value(
				value(value(insert, "domain", key.domainId(), UUID.class), "expires", key.expiresAt(), Instant.class),
				"by", key.createdBy(), UUID.class)
			.mapProperties(ApiKey.class)
			.one();
	}

	private static <T> DatabaseClient.GenericExecuteSpec value(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	Mono<ApiKey> find(Scope scope, UUID id) {
		return this.database.sql("select * from api_key where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(ApiKey.class)
			.one();
	}

	Flux<ApiKey> list(Scope scope, Page.Request page) {
		GenericExecuteSpec list = this.database
			.sql("select * from api_key where account_id = :account" + PageSql.of(page))
			.bind("account", scope.account());
		return PageSql.bind(list, page, page.rows()).mapProperties(ApiKey.class).all();
	}

	Mono<Long> count(Scope scope) {
		return this.database.sql("select count(*) from api_key where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	Mono<ApiKey> update(Scope scope, UUID id, String name, List<String> permissions) {
		return this.database.sql("""
				update api_key set name = :name, permissions = :permissions
				 where id = :id and account_id = :account returning *
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("name", name)
			.bind("permissions", permissions.toArray(String[]::new))
			.mapProperties(ApiKey.class)
			.one();
	}

	/** Gives a key that is replaced another name, and a time from which it is refused. */
	Mono<ApiKey> retire(Scope scope, UUID id, String name, Instant expiresAt) {
		return this.database.sql("""
				update api_key set name = :name, expires_at = least(expires_at, :expires)
				 where id = :id and account_id = :account returning *
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("name", name)
			.bind("expires", expiresAt)
			.mapProperties(ApiKey.class)
			.one();
	}

	Mono<String> delete(Scope scope, UUID id) {
		return this.database.sql("delete from api_key where id = :id and account_id = :account returning name")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one();
	}

	/**
	 * Concurrent requests with the same key do not wait for each other's update, and none
	 * waits for a standby.
	 */
	Mono<Void> setUsed(Scope scope, UUID id, String address) {
		return this.database.sql("""
				update api_key set last_used_at = now(), last_used_from = coalesce(nullif(:address, ''), last_used_from)
				 where id = (select id from api_key where id = :id and account_id = :account
				                for no key update skip locked)
				   and set_config('synchronous_commit', 'off', true) = 'off'
				""").bind("id", id).bind("account", scope.account()).bind("address", address).then();
	}

	/**
	 * Stored row of a key, with the hash of its secret.
	 *
	 * @param movedTo the cell to which its account was moved; null if it is here
	 */
	record StoredKey(UUID id, UUID accountId, @Nullable UUID domainId, String name, String prefix, byte[] secretHash,
			List<String> permissions, Instant createdAt, @Nullable Instant expiresAt, @Nullable Instant lastUsedAt,
			@Nullable UUID createdBy, @Nullable String lastUsedFrom, @Nullable String movedTo) {

		StoredKey usedAt(Instant time) {
			return new StoredKey(this.id, this.accountId, this.domainId, this.name, this.prefix, this.secretHash,
					this.permissions, this.createdAt, this.expiresAt, time, this.createdBy, this.lastUsedFrom,
					this.movedTo);
		}

		ApiKey key() {
			return new ApiKey(this.id, this.accountId, this.domainId, this.name, this.prefix, this.permissions,
					this.createdAt, this.expiresAt, this.lastUsedAt, this.createdBy, this.lastUsedFrom);
		}

	}

}
