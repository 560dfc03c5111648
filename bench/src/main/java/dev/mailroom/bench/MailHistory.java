package dev.mailroom.bench;

import java.sql.SQLException;

import dev.mailroom.process.Database;

/**
 * Rows of settled mails of the last 13 months, in as many partitions: one in fifty
 * bounced, the others were delivered; every other one belongs to one of twenty campaigns.
 * The totals that triggers maintain are inserted once instead.
 */
public final class MailHistory {

	private static final int ROWS_PER_INSERT = 500_000;

	private static final String CAMPAIGNS = """
			insert into campaign (id, account_id, name, status, sender, from_email, domain_id, subject, contact_book_id,
			                      contact_book_name, text_content, started_at, fanned_out_at, total_contacts, created_at,
			                      updated_at)
			select ('00000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, account_id, 'Campaign ' || i, 'sent',
			       'a@from.test', 'a@from.test', domain.id, 'News', gen_random_uuid(), 'Customers', 'News', now(), now(),
			       %1$d / 40, now() - i * interval '1 hour', now()
			  from {domain}, generate_series(0, 19) as i;
			insert into campaign_count (campaign_id, account_id, slot, sent, delivered)
			select id, account_id, 0, %1$d / 40, %1$d / 40 from campaign;
			insert into email_count (account_id, domain_id, status, month, slot, count)
			select account_id, id, 'delivered', current_date, 0, %1$d - %1$d / 50 from {domain}
			union all select account_id, id, 'bounced', current_date, 0, %1$d / 50 from {domain};
			insert into reputation_day (account_id, domain_id, day, delivered, hard_bounced)
			select account_id, id, current_date - i, %1$d / 20 - %1$d / 1000, %1$d / 1000
			  from {domain}, generate_series(0, 19) as i
			""";

	/** Partitions of the next 13 months, for ids of mails that are older by as much. */
	private static final String PARTITIONS = """
			select create_partition(name, (date_trunc('month', now() at time zone 'UTC') + month * interval '1 month')::date)
			  from partitioned_tables() cross join generate_series(1, 13) as month
			""";

	/** Ids are UUIDv7 of a time 390 days after that of the creation. */
	private static final String MAILS = """
			set session_replication_role = replica;
			set synchronous_commit = off;
			insert into email (id, account_id, domain_id, sender, from_email, to_emails, subject, status, last_event,
			                   created_at, campaign_id)
			select (lpad(to_hex(floor(extract(epoch from created + interval '390 days') * 1000)::bigint), 12, '0') || '7000'
			        || '8000' || lpad(to_hex(i), 12, '0'))::uuid, account_id, domain.id, 'Ann <a@from.test>', 'a@from.test',
			       array['b@to.test'], 'Your order has left', mail.status, mail.status, created,
			       case when i %% 2 = 0 then ('00000000-0000-7000-8000-' || lpad((i / 2 %% 20)::text, 12, '0'))::uuid end
			  from {domain}, generate_series(%2$d, %3$d) as i
			 cross join lateral (select now() - (%1$d - i) * (interval '390 days' / %1$d) as created,
			                            case when i %% 50 = 0 then 'bounced' else 'delivered' end as status) as mail
			""";

	private static final String TROUBLE = """
			insert into email_trouble (id, account_id, domain_id, status, created_at)
			select id, account_id, domain_id, status, created_at from email where status = 'bounced'
			""";

	private final Database server;

	private final String database;

	/** The domain and its account. */
	private final String domain;

	/** Creates an object for a domain in a database. */
	public MailHistory(Database server, String database, String domain) {
		this.server = server;
		this.database = database;
		this.domain = "(select id, account_id from domain where name = '" + domain + "') as domain";
	}

	/** Inserts a number of mails, a multiple of 1000. */
	public void fill(int mails) throws SQLException {
		this.server.run(this.database, PARTITIONS);
		this.server.run(this.database, CAMPAIGNS.replace("{domain}", this.domain).formatted(mails));
		String sql = MAILS.replace("{domain}", this.domain);
		for (int from = 0; from < mails; from += ROWS_PER_INSERT) {
			this.server.run(this.database, sql.formatted(mails, from, Math.min(mails, from + ROWS_PER_INSERT) - 1));
		}
		this.server.run(this.database, TROUBLE);
		this.server.run(this.database, "vacuum analyze");
	}

}
