package dev.mailroom.campaign;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

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

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL that selects, reads and counts the contacts of campaigns. */
@Repository
class AudienceStore {

	private static final TypeReference<Map<String, @Nullable Object>> OBJECT = new TypeReference<>() {
	};

	/** Precedes all contacts. */
	private static final Instant START = Instant.EPOCH;

	private static final UUID START_ID = new UUID(0, 0);

	private static final String SELECT = """
			with page as materialized (
			    select contact.id, contact.created_at,
			           row_number() over (order by contact.created_at, contact.id) as position,
			           case when campaign.start_snapshot is null then contact.created_at < campaign.started_at
			                else contact.added_by is null
			                     or pg_visible_in_snapshot(contact.added_by, campaign.start_snapshot) end
			               and (campaign.filter is null
			                    or contact_matches(campaign.filter, contact.properties, contact.created_at)) as matches
			      from campaign join contact on contact.contact_book_id = campaign.contact_book_id
			     where campaign.id = :id and campaign.account_id = :account
			       and contact.account_id = :account and contact.contact_book_id = :book
			       and (contact.created_at, contact.id) > (:after, :after_id)
			     order by contact.created_at, contact.id limit :limit),
			chosen as (
			    insert into campaign_audience (campaign_id, number, contact_id, account_id)
			    select :id, :selected + position, id, :account from page where matches),
			last as (
			    select created_at, id, position from page order by position desc limit 1)
			update campaign
			   set cursor_at = coalesce((select created_at from last), cursor_at),
			       cursor_id = coalesce((select id from last), cursor_id),
			       selected = :selected + coalesce((select position from last), 0),
			       selected_at = case when coalesce((select position from last), 0) < :limit then now() end
			 where id = :id and account_id = :account
			returning selected, selected_at is not null as complete
			""";

	private final DatabaseClient database;

	private final JsonMapper json;

	AudienceStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/**
	 * Selects the next contacts of a campaign in the order of the cursor. The statement
	 * inserts narrow rows and returns no contacts. Contacts that do not match the filter,
	 * or that were added after the start, are passed over: the campaign's snapshot is
	 * compared, not times, because the clocks of servers differ.
	 * @return the campaign's progress
	 */
	Mono<Selection> select(Scope scope, CampaignPageStore.FanOutState campaign, int limit) {
		return this.database.sql(SELECT)
			.bind("id", campaign.id())
			.bind("account", scope.account())
			.bind("book", campaign.bookId())
			.bind("after", (campaign.cursorAt() != null) ? campaign.cursorAt() : START)
			.bind("after_id", (campaign.cursorId() != null) ? campaign.cursorId() : START_ID)
			.bind("selected", campaign.selected())
			.bind("limit", limit)
			.map((row) -> new Selection(value(row, "selected", Long.class), on(row, "complete")))
			.one();
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
	 * The next selected contacts of a campaign. The subqueries keep the planner from
	 * reading all contacts for a page.
	 */
	Flux<Candidate> candidates(Scope scope, CampaignPageStore.FanOutState campaign, int limit) {
		return this.database
			.sql("""
					select number, contact_id as id, found.id is not null as found, coalesce(email, '') as email,
					       coalesce(first_name, '') as first_name, coalesce(last_name, '') as last_name,
					       coalesce(properties, '{}') as properties, coalesce(subscribed, false) as subscribed,
					       exists (select from suppression
					                where suppression.account_id = :account and suppression.address = email_key) as suppressed
					  from (select number, contact_id from campaign_audience
					         where campaign_id = :id and account_id = :account and number > :handled
					         order by number limit :limit) as chosen
					  left join lateral (
					      select contact.* from contact
					       where contact.id = contact_id and contact.account_id = :account limit 1) as found on true
					 order by number
					""")
			.bind("id", campaign.id())
			.bind("account", scope.account())
			.bind("handled", campaign.handled())
			.bind("limit", limit)
			.map(this::candidate)
			.all();
	}

	/** Records that contacts up to a number were handled, and removes their rows. */
	Mono<Void> advance(Scope scope, UUID campaign, long handled, double aheadSeconds) {
		return this.database.sql("""
				with passed as (
				    delete from campaign_audience
				     where campaign_id = :id and account_id = :account and number <= :handled)
				update campaign set handled = :handled,
				       paced_until = case when pace is not null then now() + :ahead * interval '1 second' end
				 where id = :id and account_id = :account
				""")
			.bind("id", campaign)
			.bind("account", scope.account())
			.bind("handled", handled)
			.bind("ahead", aheadSeconds)
			.then();
	}

	private Candidate candidate(Readable row) {
		return new Candidate(value(row, "number", Long.class), value(row, "id", UUID.class), text(row, "email"),
				text(row, "first_name"), text(row, "last_name"),
				Objects.requireNonNull(this.json.readValue(value(row, "properties", Json.class).asString(), OBJECT),
						"properties"),
				on(row, "found"), on(row, "subscribed") && !on(row, "suppressed"));
	}

	/**
	 * Progress of the selection of contacts.
	 *
	 * @param selected highest number of a selected contact
	 * @param complete whether no contact follows
	 */
	record Selection(long selected, boolean complete) {
	}

	/**
	 * A selected contact.
	 *
	 * @param number position in the order of the campaign
	 * @param found whether it is still in a book; otherwise its fields are empty
	 * @param reachable whether it is subscribed and not suppressed
	 */
	record Candidate(long number, UUID id, String email, String firstName, String lastName,
			Map<String, @Nullable Object> properties, boolean found, boolean reachable) {

		/** Whether the contact gets a mail; others are skipped. */
		boolean getsMail() {
			return this.found && this.reachable;
		}

	}

	/**
	 * Selected contacts in their order.
	 *
	 * @param last whether no contact follows
	 */
	record CandidatePage(List<Candidate> candidates, boolean last) {

		/** The page up to a number of mails. */
		CandidatePage first(long mails) {
			long left = mails;
			for (int i = 0; i < this.candidates.size(); i++) {
				if (this.candidates.get(i).getsMail()) {
					if (left == 0) {
						return new CandidatePage(this.candidates.subList(0, i), false);
					}
					left--;
				}
			}
			return this;
		}

	}

}
