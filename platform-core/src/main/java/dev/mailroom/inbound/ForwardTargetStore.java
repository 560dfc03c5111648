package dev.mailroom.inbound;

import java.util.UUID;

import dev.mailroom.EmailAddress;
import dev.mailroom.Scope;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of forward targets. */
@Repository
class ForwardTargetStore {

	private static final String COLUMNS = """
			id, account_id, address, confirmed_at, created_at,
			confirmed_at is not null or exists (
			    select from domain where domain.account_id = forward_target.account_id
			                         and name = substring(address from '[^@]*$')
			                         and status in ('verified', 'temporary_failure')) as confirmed
			""";

	private final DatabaseClient database;

	ForwardTargetStore(DatabaseClient database) {
		this.database = database;
	}

	Flux<ForwardTarget> list(Scope scope) {
		return this.database
			.sql("select " + COLUMNS + " from forward_target where account_id = :account order by created_at, id")
			.bind("account", scope.account())
			.mapProperties(ForwardTarget.class)
			.all();
	}

	Mono<ForwardTarget> find(Scope scope, UUID id) {
		return this.database.sql("select " + COLUMNS + " from forward_target where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(ForwardTarget.class)
			.one();
	}

	/** Inserts a target; empty if the account has the address already. */
	Mono<ForwardTarget> insert(Scope scope, UUID id, EmailAddress address) {
		return this.database.sql("""
				insert into forward_target (id, account_id, address, address_key, created_at)
				values (:id, :account, :address, :key, date_trunc('milliseconds', now()))
				on conflict (account_id, address_key) do nothing returning\s""" + COLUMNS)
			.bind("id", id)
			.bind("account", scope.account())
			.bind("address", address.toString())
			.bind("key", address.key())
			.mapProperties(ForwardTarget.class)
			.one();
	}

	/** Confirms a target; one that is confirmed already keeps its time. */
	Mono<ForwardTarget> confirm(Scope scope, UUID id) {
		return this.database.sql("""
				update forward_target set confirmed_at = coalesce(confirmed_at, date_trunc('milliseconds', now()))
				 where id = :id and account_id = :account returning\s""" + COLUMNS)
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(ForwardTarget.class)
			.one();
	}

	/** Deletes a target and returns its address; empty if it is missing. */
	Mono<String> delete(Scope scope, UUID id) {
		return this.database
			.sql("delete from forward_target where id = :id and account_id = :account returning address")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one();
	}

}
