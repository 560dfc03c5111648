package dev.mailroom.contact;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/**
 * The mails that ask contacts to confirm, which are sent by another feature. Changes join
 * its transaction.
 */
@Repository
public class Confirmations {

	/**
	 * Takes due mails, up to a limit for each account. They are due again after the
	 * lease. Requests whose contact is not pending any more, or that are older than the
	 * link would be valid, are ended.
	 */
	@AcrossAccounts("one job sends the mails of all accounts")
	public List<DueMail> take(JdbcClient jdbc, int perAccount, Duration lease, Duration maxAge) {
		return SqlStatement
			.of("""
					with recursive sender as (
					    (select account_id as id from confirmation where due_at is not null order by account_id limit 1)
					     union all
					    select (select account_id from confirmation where due_at is not null and account_id > sender.id
					             order by account_id limit 1)
					      from sender where sender.id is not null),
					due as materialized (
					    select taken.contact_id from sender cross join lateral (
					        select contact_id from confirmation
					         where account_id = sender.id and due_at <= now()
					         order by due_at, contact_id limit :limit for update skip locked) as taken),
					taken as (
					    update confirmation
					       set due_at = case when consent = 'pending' and consent_at > now() - :age * interval '1 second'
					                         then now() + :lease * interval '1 second' end
					      from due join contact on contact.id = due.contact_id
					      join contact_book book on book.id = contact_book_id
					     where confirmation.contact_id = due.contact_id
					    returning confirmation.account_id, confirmation.contact_id, email,
					              coalesce(public_name, book.name) as book, consent_at, mails,
					              due_at)
					select account_id, contact_id, email, book, consent_at as requested_at, mails from taken where due_at is not null
					""")
			.bind("limit", perAccount)
			.bind("lease", lease.toSeconds())
			.bind("age", maxAge.toSeconds())
			.list(jdbc,
					(row) -> new DueMail(value(row, "account_id", UUID.class), value(row, "contact_id", UUID.class),
							text(row, "email"), text(row, "book"), value(row, "requested_at", Instant.class),
							number(row, "mails")));
	}

	/** Records that a mail was accepted for sending. */
	public void sent(JdbcClient jdbc, DueMail mail) {
		SqlStatement.of("""
				update confirmation set due_at = null, sent_at = now(), mails = :mails
				 where contact_id = :contact and account_id = :account
				""")
			.bind("mails", mail.mails() + 1)
			.bind("contact", mail.contactId())
			.bind("account", mail.accountId())
			.update(jdbc);
	}

	/** Postpones a mail that was refused. */
	public void postpone(JdbcClient jdbc, DueMail mail, Duration delay) {
		SqlStatement.of("""
				update confirmation set due_at = now() + :delay * interval '1 second'
				 where contact_id = :contact and account_id = :account and due_at is not null
				""")
			.bind("delay", delay.toSeconds())
			.bind("contact", mail.contactId())
			.bind("account", mail.accountId())
			.update(jdbc);
	}

	/**
	 * A mail to be sent to a contact whose consent is pending.
	 *
	 * @param book name of the contact book for recipients
	 * @param requestedAt when the account requested the subscription
	 * @param mails number of mails sent for this request before
	 */
	public record DueMail(UUID accountId, UUID contactId, String email, String book, Instant requestedAt, int mails) {

		public Scope scope() {
			return Scope.of(this.accountId);
		}

		/**
		 * Identifies the mail, which is sent once even if a worker crashes. A person who
		 * unsubscribes and is asked again on the same day gets another mail.
		 */
		public String name() {
			return "%s %s %d".formatted(this.contactId, this.requestedAt, this.mails);
		}

	}

}
