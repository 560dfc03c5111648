package dev.mailroom.webhook;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of webhook endpoints. */
@Repository
class WebhookEndpointStore {

	private final DatabaseClient database;

	WebhookEndpointStore(DatabaseClient database) {
		this.database = database;
	}

	/** Locks the account, so that concurrent requests count its endpoints one by one. */
	Mono<Void> lockAccount(Scope scope) {
		return this.database.sql("select id from account where id = :account for no key update")
			.bind("account", scope.account())
			.then();
	}

	Mono<WebhookEndpoint> insert(WebhookEndpoint endpoint, byte[] sealedSecret) {
		return this.database
			.sql("""
					insert into webhook_endpoint (id, account_id, url, events, description, active, sealed_secret, created_at)
					values (:id, :account, :url, :events, :description, :active, :secret, :created)
					returning *
					""")
			.bind("id", endpoint.id())
			.bind("account", endpoint.accountId())
			.bind("url", endpoint.url())
			.bind("events", endpoint.events().toArray(String[]::new))
			.bind("description", endpoint.description())
			.bind("active", endpoint.active())
			.bind("secret", sealedSecret)
			.bind("created", endpoint.createdAt())
			.mapProperties(WebhookEndpoint.class)
			.one();
	}

	Mono<WebhookEndpoint> find(Scope scope, UUID id) {
		return this.database.sql("select * from webhook_endpoint where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(WebhookEndpoint.class)
			.one();
	}

	Flux<WebhookEndpoint> list(Scope scope, Page.Request page) {
		return this.database.sql("""
				select * from webhook_endpoint where account_id = :account
				 order by created_at desc, id desc limit :limit offset :offset
				""")
			.bind("account", scope.account())
			.bind("limit", page.limit())
			.bind("offset", page.offset())
			.mapProperties(WebhookEndpoint.class)
			.all();
	}

	Mono<Long> count(Scope scope) {
		return this.database.sql("select count(*) from webhook_endpoint where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	/** Sets the values that are not null. */
	Mono<WebhookEndpoint> update(Scope scope, UUID id, @Nullable Boolean active, @Nullable String url,
			@Nullable List<String> events) {
		DatabaseClient.GenericExecuteSpec statement = this.database.sql("""
				update webhook_endpoint
				   set active = coalesce(:active, active), url = coalesce(:url, url), events = coalesce(:events, events)
				 where id = :id and account_id = :account returning *
				""").bind("id", id).bind("account", scope.account());
		statement = bind(statement, "active", active, Boolean.class);
		statement = bind(statement, "url", url, String.class);
		return bind(statement, "events", (events != null) ? events.toArray(String[]::new) : null, String[].class)
			.mapProperties(WebhookEndpoint.class)
			.one();
	}

	/** Replaces the secret. The old one also signs for another 24 hours. */
	Mono<WebhookEndpoint> rotate(Scope scope, UUID id, byte[] sealedSecret) {
		return this.database.sql("""
				update webhook_endpoint
				   set sealed_previous = sealed_secret, previous_until = now() + interval '24 hours',
				       sealed_secret = :secret
				 where id = :id and account_id = :account returning *
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("secret", sealedSecret)
			.mapProperties(WebhookEndpoint.class)
			.one();
	}

	/** Deletes an endpoint and its calls. */
	Mono<Long> delete(Scope scope, UUID id) {
		return this.database.sql("delete from webhook_endpoint where id = :id and account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.fetch()
			.rowsUpdated();
	}

	private static <T> DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec statement, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? statement.bind(name, value) : statement.bindNull(name, type);
	}

}
