package dev.mailroom.domain;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import dev.mailroom.domain.Domain.Status;
import dev.mailroom.domain.Domain.Transport;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of domains. */
@Repository
class DomainStore {

	private static final TypeReference<Map<String, DnsRecord.Check>> CHECKS = new TypeReference<>() {
	};

	private final DatabaseClient database;

	private final JsonMapper json;

	DomainStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/** Whether the account has fewer domains than its plan allows. */
	Mono<Boolean> isBelowLimit(Scope scope) {
		return this.database.sql("""
				select plan.domain_limit is null
				       or plan.domain_limit > (select count(*) from domain where account_id = :account)
				  from account join plan on plan.name = account.plan where account.id = :account
				""").bind("account", scope.account()).mapValue(Boolean.class).one();
	}

	/** Locks the account: concurrent requests do not exceed the limit. */
	Mono<Void> lockAccount(Scope scope) {
		return this.database.sql("select id from account where id = :account for update")
			.bind("account", scope.account())
			.then();
	}

	/** Inserts a domain; empty if the account has one of that name. */
	Mono<UUID> insert(Scope scope, Row domain) {
		return this.database.sql("""
				insert into domain (id, account_id, name, status, ownership_token, created_at)
				values (:id, :account, :name, :status, :token, :created)
				on conflict (account_id, name) do nothing returning id
				""")
			.bind("id", domain.id())
			.bind("account", scope.account())
			.bind("name", domain.name())
			.bind("status", domain.status().contractName())
			.bind("token", domain.ownershipToken())
			.bind("created", domain.createdAt())
			.mapValue(UUID.class)
			.one();
	}

	Mono<Row> find(Scope scope, UUID id) {
		return this.database.sql("select * from domain where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.map(this::row)
			.one();
	}

	Mono<Row> findByName(Scope scope, String name) {
		return this.database.sql("select * from domain where name = :name and account_id = :account")
			.bind("name", name)
			.bind("account", scope.account())
			.map(this::row)
			.one();
	}

	/** The domain of this name if it may send, or else the oldest that may. */
	Mono<Domain.Sending> sendable(Scope scope, String name) {
		return this.database.sql("""
				select id, name, link_host from domain
				 where account_id = :account and status in ('verified', 'temporary_failure')
				 order by name = :name desc, created_at, id limit 1
				""").bind("account", scope.account()).bind("name", name).mapProperties(Domain.Sending.class).one();
	}

	Flux<Row> list(Scope scope, Page.Request page) {
		GenericExecuteSpec list = this.database
			.sql("select * from domain where account_id = :account" + PageSql.of(page))
			.bind("account", scope.account());
		return PageSql.bind(list, page, page.rows()).map(this::row).all();
	}

	Flux<Row> findAll(Scope scope, Collection<UUID> ids) {
		return this.database.sql("select * from domain where id = any(:ids) and account_id = :account")
			.bind("ids", ids.toArray(UUID[]::new))
			.bind("account", scope.account())
			.map(this::row)
			.all();
	}

	Mono<Long> count(Scope scope) {
		return this.database.sql("select count(*) from domain where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	Mono<Void> update(Scope scope, UUID id, Domain.Change change) {
		String transport = (change.transport() != null) ? change.transport().contractName() : null;
		return bind(bind(bind(bind(this.database.sql("""
				update domain set open_tracking = coalesce(:open, open_tracking),
				       click_tracking = coalesce(:click, click_tracking),
				       transport = case when :transport is null then transport else nullif(:transport, 'default') end,
				       require_tls = coalesce(:tls, require_tls)
				 where id = :id and account_id = :account
				"""), "open", change.openTracking(), Boolean.class), "click", change.clickTracking(), Boolean.class),
				"transport", transport, String.class), "tls", change.requireTls(), Boolean.class)
			.bind("id", id)
			.bind("account", scope.account())
			.then();
	}

	/** Whether another account's domain of this name is verified. */
	Mono<Boolean> isTaken(Scope scope, String name) {
		return this.database.sql("""
				select exists (select from domain_that_receives(:name) as owner where owner.account_id <> :account)
				""").bind("name", name).bind("account", scope.account()).mapValue(Boolean.class).one();
	}

	/** Finds a domain and locks it until the transaction ends. */
	Mono<Row> lock(Scope scope, UUID id) {
		return this.database.sql("select * from domain where id = :id and account_id = :account for update")
			.bind("id", id)
			.bind("account", scope.account())
			.map(this::row)
			.one();
	}

	/**
	 * Stores the result of a verification. It fails with a duplicate key if another
	 * account's domain of the name is verified.
	 */
	Mono<Void> saveResult(Scope scope, UUID id, Result result) {
		return this.database
			.sql("""
					update domain set status = :status, checks = :checks::jsonb, checked_at = now(),
					       verified_at = case when :status = 'verified' then coalesce(verified_at, now()) else verified_at end,
					       recheck_at = case when :status = 'verified' or verified_at is not null
					                         then now() + :recheck * interval '1 millisecond' end,
					       failing_since = case when :status in ('verified', 'pending') then null
					                            when :missing then coalesce(failing_since, now()) else failing_since end,
					       notice = case when :status in ('verified', 'pending') then null
					                     when :status = 'failed' and status <> 'failed' then 'failed'
					                     when :status <> 'failed' and :missing and failing_since is null then 'grace'
					                     else notice end
					 where id = :id and account_id = :account
					""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("status", result.status().contractName())
			.bind("missing", result.missing())
			.bind("recheck", result.recheckIn().toMillis())
			.bind("checks", this.json.writeValueAsString(result.checks()))
			.then();
	}

	/** Marks a domain as verified without DNS; it is not rechecked. */
	Mono<Void> markVerified(Scope scope, UUID id) {
		return this.database.sql("""
				update domain set status = 'verified', verified_at = coalesce(verified_at, now()), checked_at = now()
				 where id = :id and account_id = :account
				""").bind("id", id).bind("account", scope.account()).then();
	}

	Mono<String> delete(Scope scope, UUID id) {
		return this.database.sql("delete from domain where id = :id and account_id = :account returning name")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one();
	}

	private static <T> DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec sql, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? sql.bind(name, value) : sql.bindNull(name, type);
	}

	private Row row(Readable row) {
		return new Row(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "name", String.class), Status.of(value(row, "status", String.class)),
				value(row, "ownership_token", String.class),
				Objects.requireNonNull(this.json.readValue(value(row, "checks", Json.class).asString(), CHECKS)),
				value(row, "open_tracking", Boolean.class), value(row, "click_tracking", Boolean.class),
				Transport.of(row.get("transport", String.class)), value(row, "require_tls", Boolean.class),
				value(row, "created_at", Instant.class), row.get("verified_at", Instant.class),
				row.get("checked_at", Instant.class), row.get("failing_since", Instant.class));
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

	/**
	 * Result of a verification.
	 *
	 * @param missing whether DNS lacks a record that the domain needs to send
	 * @param recheckIn time until the next check
	 */
	record Result(Status status, Map<String, DnsRecord.Check> checks, boolean missing, Duration recheckIn) {
	}

	/** Stored row of a domain. */
	record Row(UUID id, UUID accountId, String name, Status status, String ownershipToken,
			Map<String, DnsRecord.Check> checks, boolean openTracking, boolean clickTracking, Transport transport,
			boolean requireTls, Instant createdAt, @Nullable Instant verifiedAt, @Nullable Instant checkedAt,
			@Nullable Instant failingSince) {

		/** A new domain with a new ownership token. */
		static Row pending(UUID id, UUID account, String name, Instant now) {
			String token = UUID.randomUUID().toString().replace("-", "");
			return new Row(id, account, name, Status.PENDING, token, Map.of(), false, false, Transport.DEFAULT, false,
					now, null, null, null);
		}

	}

}
