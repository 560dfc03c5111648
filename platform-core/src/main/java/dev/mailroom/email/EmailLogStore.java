package dev.mailroom.email;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** Knows how many mails there are, and where deep in a list to begin. */
@Repository
class EmailLogStore {

	/** Stands for all domains in the anchors' key. */
	private static final UUID ALL = new UUID(0, 0);

	private final DatabaseClient database;

	EmailLogStore(DatabaseClient database) {
		this.database = database;
	}

	/** How many mails a list holds: summed from what is kept, never counted. */
	Mono<Long> total(Scope scope, Email.Filter filter) {
		String sql = "select coalesce(sum(count), 0)::bigint from email_count where account_id = :account"
				+ ((filter.domainId() != null) ? " and domain_id = :domain" : "")
				+ ((filter.status() != null) ? " and status = :status" : "");
		DatabaseClient.GenericExecuteSpec bound = this.database.sql(sql).bind("account", scope.account());
		bound = (filter.domainId() != null) ? bound.bind("domain", filter.domainId()) : bound;
		bound = (filter.status() != null) ? bound.bind("status", filter.status()) : bound;
		return bound.mapValue(Long.class).one();
	}

	/**
	 * Sets anchors up to a place in the list, from the last one on. Young mails get none:
	 * one that is being accepted may still come in before them.
	 * @param rank the place, counted from the oldest mail
	 */
	Mono<Void> anchor(Scope scope, @Nullable UUID domainId, long rank, int every, long most) {
		return bind(
				"""
						with last as (
						    select position, created_at, id from email_anchor
						     where account_id = :account and domain_id = :key order by position desc limit 1),
						walked as (
						    select created_at, id,
						           coalesce((select position from last), 0) + row_number() over (order by created_at, id) as position
						      from (select created_at, id from email
						             where account_id = :account and (:domain::uuid is null or domain_id = :domain)
						               and (created_at, id) > (coalesce((select created_at from last), '-infinity'),
						                                       coalesce((select id from last), :key))
						               and created_at < now() - interval '5 minutes'
						             order by created_at, id
						             limit least(:most, greatest(0, :rank + :every - coalesce((select position from last), 0)))) as young)
						insert into email_anchor (account_id, domain_id, position, created_at, id)
						select :account, :key, position, created_at, id from walked where position % :every = 0
						on conflict do nothing
						""",
				scope, domainId)
			.bind("rank", rank)
			.bind("every", every)
			.bind("most", most)
			.then();
	}

	/** The nearest anchor at or behind a place, as the list is shown: newest first. */
	Mono<Anchor> nearest(Scope scope, @Nullable UUID domainId, long rank) {
		return this.database.sql("""
				select position, created_at, id from email_anchor
				 where account_id = :account and domain_id = :key and position >= :rank
				 order by position limit 1
				""")
			.bind("account", scope.account())
			.bind("key", (domainId != null) ? domainId : ALL)
			.bind("rank", rank)
			.mapProperties(Anchor.Row.class)
			.one()
			.map(Anchor.Row::anchor);
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, Scope scope, @Nullable UUID domainId) {
		DatabaseClient.GenericExecuteSpec bound = this.database.sql(sql)
			.bind("account", scope.account())
			.bind("key", (domainId != null) ? domainId : ALL);
		return (domainId != null) ? bound.bind("domain", domainId) : bound.bindNull("domain", UUID.class);
	}

	/** A mail whose place in the list is known. */
	record Anchor(long position, Page.Cursor cursor) {

		/** The same, as it is stored. */
		record Row(long position, Instant createdAt, UUID id) {
			Anchor anchor() {
				return new Anchor(this.position, new Page.Cursor(this.createdAt, this.id));
			}
		}

	}

}
