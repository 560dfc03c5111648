package dev.mailroom.webhook;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.database.PageSql;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of webhook endpoints. */
@Repository
class WebhookEndpointStore {

	private static final String SELECT = "select endpoint.*, state.failing_since from webhook_endpoint as endpoint "
			+ "left join webhook_state as state on state.endpoint_id = endpoint.id ";

	private final DatabaseClient database;

	WebhookEndpointStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Locks the account, so that concurrent requests count its endpoints one by one.
	 * @return whether its address is verified
	 */
	Mono<Boolean> lockAccount(Scope scope) {
		return this.database
			.sql("select email_verified_at is not null from account where id = :account for no key update")
			.bind("account", scope.account())
			.mapValue(Boolean.class)
			.one();
	}

	/** Inserts an endpoint, which receives the events that are committed from now on. */
	Mono<WebhookEndpoint> insert(WebhookEndpoint endpoint, byte[] sealedSecret) {
		return this.database.sql("""
				with state as (
				    insert into webhook_state (endpoint_id, account_id, subscribed_at)
				    values (:id, :account, pg_current_snapshot()))
				insert into webhook_endpoint
				       (id, account_id, url, events, description, active, sealed_secret, created_at, svix_headers)
				values (:id, :account, :url, :events, :description, :active, :secret, :created, :svix)
				returning *, null::timestamptz as failing_since
				""")
			.bind("id", endpoint.id())
			.bind("account", endpoint.accountId())
			.bind("url", endpoint.url())
			.bind("events", endpoint.events().toArray(String[]::new))
			.bind("description", endpoint.description())
			.bind("active", endpoint.active())
			.bind("secret", sealedSecret)
			.bind("created", endpoint.createdAt())
			.bind("svix", endpoint.svixHeaders())
			.mapProperties(WebhookEndpoint.class)
			.one();
	}

	Mono<WebhookEndpoint> find(Scope scope, UUID id) {
		return this.database.sql(SELECT + "where id = :id and endpoint.account_id = :account")
			.bind("id", id)
			.bind("account", scope.account())
			.mapProperties(WebhookEndpoint.class)
			.one();
	}

	Flux<WebhookEndpoint> list(Scope scope, Page.Request page) {
		GenericExecuteSpec list = this.database
			.sql(SELECT + "where endpoint.account_id = :account" + PageSql.of(page, "endpoint."))
			.bind("account", scope.account());
		return PageSql.bind(list, page, page.rows()).mapProperties(WebhookEndpoint.class).all();
	}

	Mono<Long> count(Scope scope) {
		return this.database.sql("select count(*) from webhook_endpoint where account_id = :account")
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	/**
	 * Applies a change to the state of an endpoint. It is locked before the endpoint, in
	 * the same order as by settlements.
	 * @param active whether the endpoint is called from now on; null for no change
	 * @param subscribes whether events may be sent that were not sent before
	 */
	Mono<Void> updateState(Scope scope, UUID id, @Nullable Boolean active, boolean subscribes) {
		return bind(
				this.database
					.sql("""
							update webhook_state
							   set inactive_since = case when :active then null when not :active then coalesce(inactive_since, now())
							                             else inactive_since end,
							       failures = case when :active then 0 else failures end,
							       failing_since = case when :active then null else failing_since end,
							       next_due_at = case when :active then now() else next_due_at end,
							       subscribed_at = case when :subscribes then coalesce(subscribed_at, pg_current_snapshot())
							                            else subscribed_at end,
							       caught_up_after = case when :subscribes then null else caught_up_after end
							 where endpoint_id = :id and account_id = :account
							"""),
				"active", active, Boolean.class)
			.bind("subscribes", subscribes)
			.bind("id", id)
			.bind("account", scope.account())
			.then();
	}

	/** Sets the values that are not null. */
	Mono<WebhookEndpoint> update(Scope scope, UUID id, @Nullable Boolean active, @Nullable String url,
			@Nullable List<String> events, @Nullable Boolean svixHeaders) {
		DatabaseClient.GenericExecuteSpec statement = this.database
			.sql("""
					update webhook_endpoint
					   set active = coalesce(:active, active), url = coalesce(:url, url), events = coalesce(:events, events),
					       svix_headers = coalesce(:svix, svix_headers),
					       disabled_reason = case when :active then null else disabled_reason end,
					       disabled_at = case when :active then null else disabled_at end,
					       notice_due = notice_due and not coalesce(:active, false)
					 where id = :id and account_id = :account
					returning *, (select failing_since from webhook_state where endpoint_id = :id) as failing_since
					""")
			.bind("id", id)
			.bind("account", scope.account());
		statement = bind(statement, "active", active, Boolean.class);
		statement = bind(statement, "url", url, String.class);
		statement = bind(statement, "svix", svixHeaders, Boolean.class);
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
				 where id = :id and account_id = :account
				returning *, (select failing_since from webhook_state where endpoint_id = :id) as failing_since
				""")
			.bind("id", id)
			.bind("account", scope.account())
			.bind("secret", sealedSecret)
			.mapProperties(WebhookEndpoint.class)
			.one();
	}

	@AcrossAccounts("an address does not name its account")
	Flux<Sealed> sealed(String url) {
		return this.database.sql("""
				select id, account_id, sealed_secret,
				       case when previous_until > now() then sealed_previous end as sealed_previous
				  from webhook_endpoint where url = :url
				""").bind("url", url).mapProperties(Sealed.class).all();
	}

	/** Deletes an endpoint; its state remains until its calls are removed. */
	Mono<String> delete(Scope scope, UUID id) {
		return this.database.sql("""
				with locked as materialized (
				    select endpoint_id from webhook_state where endpoint_id = :id and account_id = :account for update),
				deleted as (
				    delete from webhook_endpoint using locked
				     where id = locked.endpoint_id and account_id = :account returning id, url)
				update webhook_state set deleted_at = now(), subscribed_at = null
				  from deleted where webhook_state.endpoint_id = deleted.id returning deleted.url
				""").bind("id", id).bind("account", scope.account()).mapValue(String.class).one();
	}

	private static <T> DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec statement, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? statement.bind(name, value) : statement.bindNull(name, type);
	}

	/** The sealed secrets of an endpoint; the previous one is null if it has ended. */
	record Sealed(UUID id, UUID accountId, byte[] sealedSecret, byte @Nullable [] sealedPrevious) {
	}

}
