package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the totals of lists and of the anchors of deep pages. */
@Repository
class EmailLogStore {

	/** Domain of the anchors of the whole account. */
	private static final UUID ALL = new UUID(0, 0);

	private final DatabaseClient database;

	EmailLogStore(DatabaseClient database) {
		this.database = database;
	}

	/** Number of emails in a list, from the counters. */
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
	 * Creates anchors up to a position in the list, starting at the last one. Emails of
	 * the last five minutes get none: an email whose transaction is still open may be
	 * inserted before them.
	 * @param rank the position, counted from the oldest email
	 * @param every the distance of anchors
	 * @param maxWalked the largest number of emails to read
	 */
	Mono<Void> createAnchors(Scope scope, @Nullable UUID domainId, long rank, int every, long maxWalked) {
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
						             limit least(:maxWalked, greatest(0, :rank + :every - coalesce((select position from last), 0)))) as young)
						insert into email_anchor (account_id, domain_id, position, created_at, id)
						select :account, :key, position, created_at, id from walked where position % :every = 0
						on conflict do nothing
						""",
				scope, domainId)
			.bind("key", key(domainId))
			.bind("rank", rank)
			.bind("every", every)
			.bind("maxWalked", maxWalked)
			.then();
	}

	/** The nearest anchor at or before a position in the list, which is newest first. */
	Mono<Anchor> nearest(Scope scope, @Nullable UUID domainId, long rank) {
		return this.database.sql("""
				select position, created_at, id from email_anchor
				 where account_id = :account and domain_id = :key and position >= :rank
				 order by position limit 1
				""")
			.bind("account", scope.account())
			.bind("key", key(domainId))
			.bind("rank", rank)
			.mapProperties(StoredAnchor.class)
			.one()
			.map(StoredAnchor::anchor);
	}

	/**
	 * Whether almost all emails of other statuses than the filter's are among those that
	 * {@link #countOthers} counts.
	 */
	Mono<Boolean> isDominant(Scope scope, Email.Filter filter) {
		return bind(
				"""
						select :status in ('sent', 'delivered')
						       and coalesce(sum(count) filter (where status in ('sent', 'delivered') and status <> :status), 0) = 0
						       and coalesce(sum(count) filter (where status = 'pending'), 0) <= :few
						  from email_count where account_id = :account and (:domain::uuid is null or domain_id = :domain)
						""",
				scope, filter.domainId())
			.bind("status", String.valueOf(filter.status()))
			.bind("few", EmailLog.MAX_PENDING)
			.mapValue(Boolean.class)
			.one();
	}

	/** Number of failed and pending emails at or before an anchor. */
	Mono<Long> countOthers(Scope scope, Email.Filter filter, Anchor anchor) {
		return bind("""
				select (select count(*) from email_trouble
				         where account_id = :account and (:domain::uuid is null or domain_id = :domain)
				           and status in ('bounced', 'complained', 'failed') and (created_at, id) <= (:created, :id))
				     + (select count(*) from email
				         where account_id = :account and (:domain::uuid is null or domain_id = :domain)
				           and status = 'pending' and (created_at, id) <= (:created, :id)
				           and id in (%s))
				""".formatted(LogQuery.QUEUED), scope, filter.domainId()).bind("created", anchor.cursor().createdAt())
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

	/** An email whose position in the list is known. */
	record Anchor(long position, Page.Cursor cursor) {
	}

	/** An anchor as it is stored. */
	record StoredAnchor(long position, Instant createdAt, UUID id) {

		Anchor anchor() {
			return new Anchor(this.position, new Page.Cursor(this.createdAt, this.id));
		}

	}

}
