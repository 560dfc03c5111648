package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.Scope;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.wire.RowColumns.on;
import static dev.mailroom.wire.RowColumns.text;
import static dev.mailroom.wire.RowColumns.value;

/** SQL that reads the contacts of a campaign and inserts their mails. */
@Repository
class RecipientStore {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	/** Precedes all contacts. */
	private static final Instant START = Instant.EPOCH;

	private static final UUID START_ID = new UUID(0, 0);

	private final DatabaseClient database;

	private final JsonMapper json;

	RecipientStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/** The next contacts of a campaign in the order of the cursor. */
	Flux<Candidate> candidates(Scope scope, CampaignPageStore.FanOutState campaign, int limit) {
		return this.database
			.sql("""
					select contact.id, email, email_key, first_name, last_name, contact.properties, contact.created_at,
					       subscribed, campaign.filter is null
					           or contact_matches(campaign.filter, contact.properties, contact.created_at) as matches,
					       exists (select from suppression
					                where suppression.account_id = :account and suppression.address = email_key) as suppressed
					  from campaign join contact on contact.contact_book_id = campaign.contact_book_id
					 where campaign.id = :id and campaign.account_id = :account
					   and contact.account_id = :account and contact.contact_book_id = :book
					   and contact.created_at < :started and (contact.created_at, contact.id) > (:after, :after_id)
					 order by contact.created_at, contact.id limit :limit
					""")
			.bind("id", campaign.id())
			.bind("account", scope.account())
			.bind("book", campaign.bookId())
			.bind("started", campaign.startedAt())
			.bind("after", (campaign.cursorAt() != null) ? campaign.cursorAt() : START)
			.bind("after_id", (campaign.cursorId() != null) ? campaign.cursorId() : START_ID)
			.bind("limit", limit)
			.map(this::candidate)
			.all();
	}

	/** Counts the contacts of a book that a campaign with a filter would reach. */
	Mono<Campaign.Audience> audience(Scope scope, UUID book, Map<String, Object> filter) {
		return this.database
			.sql("""
					select count(*) as contacts, count(*) filter (where subscribed) as subscribed,
					       count(*) filter (where recipient) as recipients,
					       count(*) filter (where recipient and suppression.address is not null) as suppressed,
					       array(select distinct name
					               from (select properties from contact
					                      where account_id = :account and contact_book_id = :book
					                      order by created_at desc, id desc limit 1000) as newest
					              cross join jsonb_object_keys(properties) as name order by name limit 100) as properties
					  from (select email_key, subscribed,
					               subscribed and (:all or contact_matches(:filter::jsonb, properties, created_at)) as recipient
					          from contact where account_id = :account and contact_book_id = :book) as member
					  left join suppression on suppression.account_id = :account and suppression.address = email_key
					""")
			.bind("account", scope.account())
			.bind("book", book)
			.bind("all", filter.isEmpty())
			.bind("filter", this.json.writeValueAsString(filter))
			.map((row) -> new Campaign.Audience(value(row, "contacts", Long.class),
					value(row, "subscribed", Long.class), value(row, "recipients", Long.class),
					value(row, "suppressed", Long.class), List.of(value(row, "properties", String[].class))))
			.one();
	}

	/**
	 * Inserts the recipients of a page with their mails, except contacts that the
	 * campaign has handled before.
	 * @param aheadSeconds time until the first mail is due; negative if it is overdue
	 * @param spacingSeconds time between the due times of two mails
	 * @return number of mails
	 */
	Mono<Long> insert(Scope scope, UUID campaign, List<Recipient> recipients, double aheadSeconds,
			double spacingSeconds, Instant now) {
		return this.database.sql(INSERT)
			.bind("account", scope.account())
			.bind("campaign", campaign)
			.bind("now", now)
			.bind("ahead", aheadSeconds)
			.bind("spacing", spacingSeconds)
			.bind("contacts", column(recipients, Recipient::contactId, UUID[]::new))
			.bind("ids", column(recipients, Recipient::emailId, UUID[]::new))
			.bind("addresses", column(recipients, Recipient::address, String[]::new))
			.bind("subjects", column(recipients, Recipient::subject, String[]::new))
			.bind("merges", column(recipients, (recipient) -> merge(recipient.merge()), String[]::new))
			.fetch()
			.rowsUpdated();
	}

	private @Nullable String merge(Map<String, String> merge) {
		return merge.isEmpty() ? null : this.json.writeValueAsString(merge);
	}

	private Candidate candidate(Readable row) {
		return new Candidate(value(row, "id", UUID.class), text(row, "email"), text(row, "first_name"),
				text(row, "last_name"),
				Objects.requireNonNull(this.json.readValue(value(row, "properties", Json.class).asString(), OBJECT),
						"properties"),
				value(row, "created_at", Instant.class), on(row, "matches"),
				on(row, "subscribed") && !on(row, "suppressed"));
	}

	private static <T> @Nullable T[] column(List<Recipient> rows, Function<Recipient, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

	/**
	 * A contact in the order of the cursor.
	 *
	 * @param matches whether the filter accepts it
	 * @param reachable whether it is subscribed and not suppressed
	 */
	record Candidate(UUID id, String email, String firstName, String lastName, Map<String, @Nullable Object> properties,
			Instant createdAt, boolean matches, boolean reachable) {
	}

	/**
	 * A contact that the campaign handles.
	 *
	 * @param emailId id of its mail; null if it is skipped
	 * @param address address of the mail; null if it is skipped
	 * @param merge values of the placeholders
	 */
	record Recipient(UUID contactId, @Nullable UUID emailId, @Nullable String address, @Nullable String subject,
			Map<String, String> merge) {
	}

	private static final String INSERT = """
			with target as materialized (
			    select * from unnest(:contacts::uuid[], :ids::uuid[], :addresses::text[], :subjects::text[], :merges::text[])
			           with ordinality as target(contact_id, id, recipient, subject, merge, number)),
			fresh as (
			    insert into campaign_recipient (campaign_id, contact_id, account_id, email_id, merge)
			    select :campaign, contact_id, :account, id, merge::jsonb from target
			    on conflict (campaign_id, contact_id) do nothing
			    returning email_id),
			mail as materialized (
			    select target.id, contact_id, recipient, subject, lower(substring(recipient from '[^@]*$')) as destination,
			           now() + (:ahead + (row_number() over (order by number) - 1) * :spacing) * interval '1 second' as due_at
			      from target join fresh on fresh.email_id = target.id order by number),
			emails as (
			    insert into email (id, account_id, domain_id, sender, from_email, to_emails, reply_to, subject, stream,
			                       last_event, open_tracking, click_tracking, created_at, campaign_id)
			    select mail.id, :account, campaign.domain_id, campaign.sender, campaign.from_email, array[mail.recipient],
			           campaign.reply_to, mail.subject, 'campaign', 'queued', domain.open_tracking, domain.click_tracking,
			           :now, :campaign
			      from campaign left join domain on domain.id = campaign.domain_id and domain.account_id = :account
			     cross join mail
			     where campaign.id = :campaign and campaign.account_id = :account),
			deliveries as (
			    insert into delivery (id, account_id, email_id, position, recipient, contact_id, stream, status, created_at)
			    select id, :account, id, 0, recipient, contact_id, 'campaign', 'pending', :now from mail)
			insert into queue (id, account_id, email_id, recipient, destination, contact_id, campaign, campaign_id, ready,
			                   due_at)
			select id, :account, id, recipient, destination, contact_id, true, :campaign, due_at <= now(), due_at from mail
			""";

}
