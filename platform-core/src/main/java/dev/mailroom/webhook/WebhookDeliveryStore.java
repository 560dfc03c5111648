package dev.mailroom.webhook;

import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.event.Kind;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of webhook calls. Due times come from the database's clock. */
@Repository
class WebhookDeliveryStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	WebhookDeliveryStore(DatabaseClient database, NoArgGenerator ids) {
		this.database = database;
		this.ids = ids;
	}

	/** Inserts a call that is due now. */
	Mono<WebhookDelivery> insert(WebhookEndpoint endpoint, UUID eventId, Kind kind) {
		return this.database.sql("""
				insert into webhook_delivery (id, account_id, endpoint_id, event_id, kind, due_at, created_at)
				values (:id, :account, :endpoint, :event, :kind, now(), now()) returning *
				""")
			.bind("id", this.ids.generate())
			.bind("account", endpoint.accountId())
			.bind("endpoint", endpoint.id())
			.bind("event", eventId)
			.bind("kind", kind.wire())
			.mapProperties(WebhookDelivery.class)
			.one();
	}

	/** Reads one row more than the page holds, to detect the last page. */
	Flux<WebhookDelivery> list(Scope scope, UUID endpointId, Page.Request page) {
		Page.@Nullable Cursor after = page.cursor();
		String sql = "select * from webhook_delivery where endpoint_id = :endpoint and account_id = :account"
				+ ((after != null) ? " and (created_at, id) < (:created, :after)" : "")
				+ " order by created_at desc, id desc limit :limit offset :offset";
		DatabaseClient.GenericExecuteSpec statement = this.database.sql(sql)
			.bind("endpoint", endpointId)
			.bind("account", scope.account())
			.bind("limit", page.limit() + 1)
			.bind("offset", page.offset());
		return ((after != null) ? statement.bind("created", after.createdAt()).bind("after", after.id()) : statement)
			.mapProperties(WebhookDelivery.class)
			.all();
	}

	Mono<Long> count(Scope scope, UUID endpointId) {
		return this.database
			.sql("select count(*) from webhook_delivery where endpoint_id = :endpoint and account_id = :account")
			.bind("endpoint", endpointId)
			.bind("account", scope.account())
			.mapValue(Long.class)
			.one();
	}

	/**
	 * Queues a call again with its attempts reset. An attempt that is in progress counts
	 * as the first one.
	 */
	Mono<WebhookDelivery> requeue(Scope scope, UUID id) {
		return this.database.sql("""
				update webhook_delivery
				   set phase = case phase when 'leased' then phase else 'queued' end,
				       status = 'pending', settled_at = null,
				       attempt = case phase when 'leased' then attempt else 0 end,
				       due_at = case phase when 'leased' then due_at else now() end
				 where id = :id and account_id = :account returning *
				""").bind("id", id).bind("account", scope.account()).mapProperties(WebhookDelivery.class).one();
	}

	@AcrossAccounts("the backlog of all accounts is monitored")
	Mono<WebhookDeliveries.Backlog> backlog() {
		return this.database.sql("""
				select coalesce((select extract(epoch from greatest(now() - min(due_at), interval '0'))
				                   from webhook_delivery where phase = 'queued'), 0)::float8 as oldest_seconds,
				       count(*) filter (where active) as active, count(*) filter (where not active) as inactive
				  from webhook_endpoint
				""").mapProperties(WebhookDeliveries.Backlog.class).one();
	}

}
