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
			.bind("key", key(domainId))
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
			.bind("key", key(domainId))
			.bind("rank", rank)
			.mapProperties(Anchor.Row.class)
			.one()
			.map(Anchor.Row::anchor);
	}

	/**
	 * Whether almost all mails that are not of the filter's status are of those that
	 * {@link #others} can count.
	 */
	Mono<Boolean> dominates(Scope scope, Email.Filter filter) {
		return bind(
				"""
						select :status in ('sent', 'delivered')
						       and coalesce(sum(count) filter (where status in ('sent', 'delivered') and status <> :status), 0) = 0
						       and coalesce(sum(count) filter (where status = 'pending'), 0) <= :few
						  from email_count where account_id = :account and (:domain::uuid is null or domain_id = :domain)
						""",
				scope, filter.domainId())
			.bind("status", String.valueOf(filter.status()))
			.bind("few", EmailLog.FEW)
			.mapValue(Boolean.class)
			.one();
	}

	/** How many mails at or before an anchor went wrong or still wait. */
	Mono<Long> others(Scope scope, Email.Filter filter, Anchor anchor) {
		return bind("""
				select (select count(*) from email_trouble
				         where account_id = :account and (:domain::uuid is null or domain_id = :domain)
				           and status in ('bounced', 'complained', 'failed') and (created_at, id) <= (:created, :id))
				     + (select count(*) from email
				         where account_id = :account and (:domain::uuid is null or domain_id = :domain)
				           and status = 'pending' and (created_at, id) <= (:created, :id)
				           and id in (select email_id from delivery where account_id = :account and phase = 'queued'
				                       union all
				                      select email_id from delivery
				                       where account_id = :account and phase in ('leased', 'in_data')))
				""", scope, filter.domainId()).bind("created", anchor.cursor().createdAt())
			.bind("id", anchor.cursor().id())
			.mapValue(Long.class)
			.one();
	}

	private DatabaseClient.GenericExecuteSpec bind(String sql, Scope scope, @Nullable UUID domainId) {
		DatabaseClient.GenericExecuteSpec bound = this.database.sql(sql).bind("account", scope.account());
		return (domainId != null) ? bound.bind("domain", domainId) : bound.bindNull("domain", UUID.class);
	}

	private static UUID key(@Nullable UUID domainId) {
		return (domainId != null) ? domainId : ALL;
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
