package dev.mailroom.upkeep;

import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * SQL of the removal of old mails and of their contents. Each is locked before a second
 * statement checks that it is still finished, because a dead letter may be requeued.
 */
@Repository
@AcrossAccounts("retention periods are the same for all accounts")
class MailRemovalStore {

	private final DatabaseClient database;

	MailRemovalStore(DatabaseClient database) {
		this.database = database;
	}

	/** Locks contents of finished mails, and returns the ids of the mails. */
	Flux<UUID> lockContents(UUID before, int limit) {
		return this.database.sql("""
				select email_id from email_content
				 where email_id < :before
				   and not exists (select from delivery
				                    where delivery.email_id = email_content.email_id and settled_at is null)
				 order by email_id limit :limit for update skip locked
				""").bind("before", before).bind("limit", limit).mapValue(UUID.class).all();
	}

	/**
	 * Removes locked contents of mails that are still finished; parts in the bucket are
	 * marked for removal.
	 */
	Mono<Long> removeContents(UUID[] emails) {
		return this.database.sql("""
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
				""").bind("emails", emails).fetch().rowsUpdated();
	}

	/** Ids of finished mails. */
	Flux<UUID> expiredMails(UUID before, int limit) {
		return this.database.sql("""
				select id from email
				 where id < :before
				   and not exists (select from delivery where delivery.email_id = email.id and settled_at is null)
				 order by id limit :limit
				""").bind("before", before).bind("limit", limit).mapValue(UUID.class).all();
	}

	/** Locks mails, after their deliveries, and returns those that are still finished. */
	Flux<UUID> lockFinished(UUID[] emails) {
		return this.database.sql("select id from delivery where email_id = any(:emails) order by id for update")
			.bind("emails", emails)
			.then()
			.then(this.database.sql("select id from email where id = any(:emails) order by id for update")
				.bind("emails", emails)
				.then())
			.thenMany(Flux.defer(() -> this.database.sql("""
					select id from unnest(:emails::uuid[]) as email(id)
					 where not exists (select from delivery where email_id = email.id and settled_at is null)
					""").bind("emails", emails).mapValue(UUID.class).all()));
	}

	/** Removes mails with their dependent rows; a trigger updates the counts. */
	Mono<Long> remove(UUID[] emails) {
		return this.database.sql("""
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
				""").bind("emails", emails).fetch().rowsUpdated();
	}

}
