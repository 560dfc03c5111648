package dev.mailroom.upkeep;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.value;

/**
 * SQL of the removal of old mails and of their contents. Each is locked before a second
 * statement checks that it is still finished, because a dead letter may be requeued.
 */
@Repository
@AcrossAccounts("retention periods are the same for all accounts")
class MailRemovalStore {

	/** Mails that one statement looks at: each costs the search for its deliveries. */
	private static final int PAGE_SIZE = 10_000;

	/** Finished mails with content. */
	Walked withContent(JdbcClient jdbc, UUID after, UUID before, int limit) {
		return page(jdbc, "select email_id as id from email_content where email_id > :after and email_id < :before"
				+ " order by email_id limit :page", after, before, limit);
	}

	/** Finished mails. */
	Walked mails(JdbcClient jdbc, UUID after, UUID before, int limit) {
		return page(jdbc, "select id from email where id > :after and id < :before order by id limit :page", after,
				before, limit);
	}

	/**
	 * Looks for finished mails among a limited number of mails: a search for a number of
	 * finished ones would pass all that are not.
	 */
	private Walked page(JdbcClient jdbc, String select, UUID after, UUID before, int limit) {
		return SqlStatement.of("""
				with page as materialized (%s),
				done as (
				    select id from page
				     where not exists (select from delivery where delivery.email_id = page.id and settled_at is null)
				     order by id limit :limit)
				select array(select id from done order by id) as finished, count(*) = :page as more,
				       (select id from page order by id desc limit 1) as last
				  from page
				""".formatted(select))
			.bind("after", after)
			.bind("before", before)
			.bind("limit", limit)
			.bind("page", PAGE_SIZE)
			.list(jdbc,
					(row) -> Walked.of(value(row, "finished", UUID[].class), row.get("last", UUID.class),
							on(row, "more"), limit))
			.getFirst();
	}

	/** Locks contents of mails, and returns the ids of the mails. */
	List<UUID> lockContents(JdbcClient jdbc, UUID[] emails) {
		return SqlStatement.of("""
				select email_id from email_content where email_id = any(:emails) order by email_id
				   for update skip locked
				""").bind("emails", emails).values(jdbc, UUID.class);
	}

	/**
	 * Removes locked contents of mails that are still finished; parts in the bucket are
	 * marked for removal.
	 */
	long removeContents(JdbcClient jdbc, UUID[] emails) {
		return SqlStatement.of("""
				with old as materialized (
				    select email_id, account_id, outside from email_content
				     where email_id = any(:emails)
				       and not exists (select from delivery
				                        where delivery.email_id = email_content.email_id and settled_at is null)),
				loosened as (
				    insert into blob_loose (account_id, owner_id, part, due_at)
				    select account_id, email_id, unnest(outside), now() from old where outside is not null
				    on conflict (account_id, owner_id, part) do update set due_at = excluded.due_at),
				files as (
				    delete from attachment using old where attachment.email_id = old.email_id)
				delete from email_content using old where email_content.email_id = old.email_id
				""").bind("emails", emails).update(jdbc);
	}

	/** Locks mails, after their deliveries, and returns those that are still finished. */
	List<UUID> lockFinished(JdbcClient jdbc, UUID[] emails) {
		SqlStatement.of("select id from delivery where email_id = any(:emails) order by id for update")
			.bind("emails", emails)
			.run(jdbc);
		SqlStatement.of("select id from email where id = any(:emails) order by id for update")
			.bind("emails", emails)
			.run(jdbc);
		return SqlStatement.of("""
				select id from unnest(:emails::uuid[]) as email(id)
				 where not exists (select from delivery where email_id = email.id and settled_at is null)
				""").bind("emails", emails).values(jdbc, UUID.class);
	}

	/** Removes mails with their dependent rows; a trigger updates the counts. */
	long remove(JdbcClient jdbc, UUID[] emails) {
		return SqlStatement.of("""
				with attempts as (
				    delete from delivery_attempt using email
				     where email.id = any(:emails) and delivery_attempt.account_id = email.account_id
				       and delivery_attempt.email_id = email.id),
				events as (
				    delete from event where email_id = any(:emails)),
				loosened as (
				    insert into blob_loose (account_id, owner_id, part, due_at)
				    select account_id, email_id, unnest(outside), now() from email_content
				     where email_id = any(:emails) and outside is not null
				    on conflict (account_id, owner_id, part) do update set due_at = excluded.due_at),
				files as (
				    delete from attachment where email_id = any(:emails)),
				content as (
				    delete from email_content where email_id = any(:emails)),
				recipients as (
				    delete from delivery where email_id = any(:emails))
				delete from email where id = any(:emails)
				""").bind("emails", emails).update(jdbc);
	}

	/**
	 * Mails of a page that are finished.
	 *
	 * @param next where the next page begins; null after the last page
	 */
	record Walked(UUID[] finished, @Nullable UUID next) {

		private static Walked of(UUID[] finished, @Nullable UUID last, boolean more, int limit) {
			if (finished.length == limit) {
				return new Walked(finished, finished[limit - 1]);
			}
			return new Walked(finished, more ? last : null);
		}

	}

}
