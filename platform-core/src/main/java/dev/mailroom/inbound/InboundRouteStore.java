package dev.mailroom.inbound;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Scope;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of routes. */
@Repository
class InboundRouteStore {

	private final DatabaseClient database;

	InboundRouteStore(DatabaseClient database) {
		this.database = database;
	}

	/** Locks a domain, so that its routes change one by one; empty if it is missing. */
	Mono<UUID> lock(Scope scope, UUID domain) {
		return this.database.sql("select id from domain where id = :domain and account_id = :account for no key update")
			.bind("domain", domain)
			.bind("account", scope.account())
			.mapValue(UUID.class)
			.one();
	}

	/** Finds the verified domain of the account with this name. */
	Mono<UUID> domain(Scope scope, String name) {
		return this.database.sql("""
				select id from domain
				 where name = :name and account_id = :account and status in ('verified', 'temporary_failure')
				""").bind("name", name).bind("account", scope.account()).mapValue(UUID.class).one();
	}

	Flux<InboundRoute> list(Scope scope, UUID domain) {
		return this.database.sql(
				"select * from inbound_route where domain_id = :domain and account_id = :account order by position, id")
			.bind("domain", domain)
			.bind("account", scope.account())
			.map(InboundRouteStore::route)
			.all();
	}

	Mono<InboundRoute> find(Scope scope, UUID id) {
		return this.database.sql("select * from inbound_route where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.map(InboundRouteStore::route)
			.one();
	}

	Mono<InboundRoute> insert(InboundRoute route) {
		return bind(this.database.sql("""
				insert into inbound_route (id, account_id, domain_id, position, pattern, spam, action, forward_to,
				                           forward_mode, active, created_at)
				values (:id, :account, :domain, :position, :pattern, :spam, :action, :targets, :mode, :active, :created)
				returning *
				"""), route).bind("domain", route.domainId())
			.bind("position", route.position())
			.bind("created", route.createdAt())
			.map(InboundRouteStore::route)
			.one();
	}

	Mono<InboundRoute> update(InboundRoute route) {
		return bind(this.database.sql("""
				update inbound_route
				   set pattern = :pattern, spam = :spam, action = :action, forward_to = :targets, forward_mode = :mode,
				       active = :active
				 where id = :id and account_id = :account returning *
				"""), route).map(InboundRouteStore::route).one();
	}

	/** Numbers the routes of a domain in this order. */
	Mono<Void> order(Scope scope, List<UUID> ids) {
		return this.database.sql("""
				update inbound_route set position = wanted.position
				  from unnest(:ids::uuid[]) with ordinality as wanted(id, position)
				 where inbound_route.id = wanted.id and account_id = :account
				""").bind("ids", ids.toArray(UUID[]::new)).bind("account", scope.account()).then();
	}

	Mono<String> delete(Scope scope, UUID id) {
		return this.database.sql("delete from inbound_route where id = :id and account_id = :account returning pattern")
			.bind("id", id)
			.bind("account", scope.account())
			.mapValue(String.class)
			.one();
	}

	/** Those of some addresses to which no route of the account may forward mail. */
	Flux<String> unknownTargets(Scope scope, List<String> addresses) {
		return this.database.sql("""
				select listed from unnest(:addresses::text[]) as listed
				 where not exists (select from forward_target
				                    where account_id = :account and address_key = lower(listed))
				   and not exists (select from domain
				                    where account_id = :account and name = substring(listed from '[^@]*$')
				                      and status in ('verified', 'temporary_failure'))
				""")
			.bind("addresses", addresses.toArray(String[]::new))
			.bind("account", scope.account())
			.mapValue(String.class)
			.all();
	}

	/**
	 * A route that forwards is stored with the action store: apps of the release before,
	 * which do not forward, then keep the mail.
	 */
	private static DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec statement,
			InboundRoute route) {
		InboundRoute.Rule rule = route.rule();
		boolean forwards = rule.action() == InboundRoute.Action.FORWARD;
		DatabaseClient.GenericExecuteSpec bound = statement.bind("id", route.id())
			.bind("account", route.accountId())
			.bind("pattern", rule.pattern())
			.bind("spam", rule.spam().contractName())
			.bind("action", (forwards ? InboundRoute.Action.STORE : rule.action()).contractName())
			.bind("mode", rule.forwarding().mode().contractName())
			.bind("active", route.active());
		return forwards ? bound.bind("targets", rule.forwarding().to().toArray(String[]::new))
				: bound.bindNull("targets", String[].class);
	}

	private static InboundRoute route(Readable row) {
		return new InboundRoute(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), number(row, "position"), rule(row, List.of()), on(row, "active"),
				value(row, "created_at", Instant.class));
	}

	/** Reads the rule of a route of which some addresses are confirmed. */
	static InboundRoute.Rule rule(Readable row, List<String> confirmed) {
		String @Nullable [] to = row.get("forward_to", String[].class);
		return new InboundRoute.Rule(text(row, "pattern"), InboundRoute.Spam.of(text(row, "spam")).orElseThrow(),
				(to != null) ? InboundRoute.Action.FORWARD : InboundRoute.Action.of(text(row, "action")).orElseThrow(),
				new InboundRoute.Forwarding((to != null) ? List.of(to) : List.of(),
						InboundRoute.ForwardMode.of(text(row, "forward_mode")).orElseThrow(), confirmed));
	}

}
