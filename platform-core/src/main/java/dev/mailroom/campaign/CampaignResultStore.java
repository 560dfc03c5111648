package dev.mailroom.campaign;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import io.r2dbc.postgresql.codec.Json;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** SQL of the results of campaigns, and of the recipients that one would have. */
@Repository
class CampaignResultStore {

	private static final TypeReference<Map<String, List<String>>> SAMPLES = new TypeReference<>() {
	};

	/** The share of a sample is that of the book; the books are read once. */
	private static final String AUDIENCE = """
			with book as materialized (
			    select contacts, contacts > :exact as large from contact_book where id = :book and account_id = :account),
			member as (
			    (select contact as person, email_key, subscribed from contact
			      where account_id = :account and contact_book_id = :book order by created_at desc, id desc
			      limit (select case when large then :sample else 2 * :exact end from book))
			     union all
			    (select contact, email_key, subscribed from contact
			      where account_id = :account and contact_book_id = :book order by created_at, id
			      limit (select case when large then :sample else 0 end from book))),
			counted as (
			    select count(*) as read, count(*) filter (where subscribed) as subscribed,
			           count(*) filter (where recipient) as recipients,
			           count(*) filter (where recipient and suppression.address is not null) as suppressed
			      from (select email_key, subscribed,
			                   subscribed and (:all or contact_matches(:filter::jsonb, person)) as recipient
			              from member) as matched
			      left join suppression on suppression.account_id = :account and suppression.address = email_key),
			newest as materialized (
			    select properties from contact where account_id = :account and contact_book_id = :book
			     order by created_at desc, id desc limit 1000)
			select case when large then contacts else read end as contacts, large as estimated,
			       (subscribed * factor)::bigint as subscribed, (recipients * factor)::bigint as recipients,
			       (suppressed * factor)::bigint as suppressed,
			       (select coalesce(jsonb_object_agg(name, examples), '{}')
			          from (select name, jsonb_agg(value order by place) as examples
			                  from (select name, left(value, 60) as value,
			                               row_number() over (partition by name order by count(*) desc, left(value, 60)) as place
			                          from newest cross join jsonb_each_text(properties) as each (name, value)
			                         where value is not null group by 1, 2) as values
			                 where place <= 5 group by name order by name limit 100) as named) as samples
			  from book cross join counted
			 cross join lateral (
			     select case when large then contacts::float8 / greatest(read, 1) else 1 end as factor) as scale
			""";

	private final DatabaseClient database;

	private final JsonMapper json;

	CampaignResultStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/**
	 * Changes of the counts by interval. A mail that bounces late is subtracted from the
	 * delivered ones in the interval of the bounce; negative sums are shown as zero.
	 */
	Flux<CampaignResults.Point> series(Scope scope, UUID campaign, CampaignResults.Interval interval) {
		return this.database.sql("""
				select date_trunc(:interval, minute, 'UTC') as at, greatest(0, sum(sent))::bigint as sent,
				       greatest(0, sum(delivered))::bigint as delivered, greatest(0, sum(bounced))::bigint as bounced,
				       greatest(0, sum(complained))::bigint as complained, greatest(0, sum(failed))::bigint as failed,
				       greatest(0, sum(opened))::bigint as opened, greatest(0, sum(clicked))::bigint as clicked,
				       greatest(0, sum(unsubscribed))::bigint as unsubscribed,
				       greatest(0, sum(skipped))::bigint as skipped
				  from campaign_minute where campaign_id = :campaign and account_id = :account
				 group by 1 order by 1 limit 10000
				""")
			.bind("campaign", campaign)
			.bind("account", scope.account())
			.bind("interval", interval.contractName())
			.mapProperties(CampaignResults.Point.class)
			.all();
	}

	/**
	 * Counts the contacts of a book that a campaign with a filter would reach. Of a book
	 * with more contacts than are read, the oldest and the newest are a sample.
	 * @param exact number of contacts up to which all are read
	 * @param sample number of the oldest, and of the newest, contacts of a sample
	 */
	Mono<Campaign.Audience> audience(Scope scope, UUID book, Map<String, Object> filter, int exact, int sample) {
		return this.database.sql(AUDIENCE)
			.bind("account", scope.account())
			.bind("book", book)
			.bind("exact", exact)
			.bind("sample", sample)
			.bind("all", filter.isEmpty())
			.bind("filter", this.json.writeValueAsString(filter))
			.map((row) -> new Campaign.Audience(value(row, "contacts", Long.class),
					value(row, "subscribed", Long.class), value(row, "recipients", Long.class),
					value(row, "suppressed", Long.class), value(row, "estimated", Boolean.class),
					Objects.requireNonNull(this.json.readValue(value(row, "samples", Json.class).asString(), SAMPLES))))
			.one();
	}

	Mono<UUID> recipient(Scope scope, Campaign campaign, @Nullable UUID from, boolean backwards) {
		String order = backwards ? "desc" : "asc";
		String beyond = (from == null) ? "" : "and (created_at, id) " + (backwards ? "<" : ">")
				+ " (select created_at, id from contact where account_id = :account and id = :from)";
		SqlStatement near = SqlStatement.of("""
				select id from (select contact as person, id, subscribed, created_at from contact
				                 where account_id = :account and contact_book_id = :book %1$s
				                 order by created_at %2$s, id %2$s limit :scanned) as near
				 where subscribed and (:all or contact_matches(:filter::jsonb, person))
				 order by created_at %2$s, id %2$s limit 1
				""".formatted(beyond, order))
			.bind("account", scope.account())
			.bind("book", campaign.contactBookId())
			.bind("scanned", CampaignResults.MAX_SCANNED)
			.bind("all", campaign.filter().isEmpty())
			.bind("filter", this.json.writeValueAsString(campaign.filter()));
		return ((from != null) ? near.bind("from", from) : near).on(this.database).mapValue(UUID.class).one();
	}

	Flux<CampaignResults.Link> links(Scope scope, UUID campaign) {
		return this.database.sql("""
				select url, sum(clicks)::bigint as clicks,
				       case when bool_and(people is not null) then sum(people)::bigint end as people
				  from campaign_link
				 where campaign_id = :campaign and account_id = :account
				 group by link_id, url order by 2 desc, url limit 1000
				""")
			.bind("campaign", campaign)
			.bind("account", scope.account())
			.mapProperties(CampaignResults.Link.class)
			.all();
	}

	Mono<Void> countClick(Scope scope, UUID campaign, UUID email, UUID link, String url) {
		return clickCounted(scope, campaign, email, link, url).on(this.database).then();
	}

	void countClick(JdbcClient jdbc, Scope scope, UUID campaign, UUID email, UUID link, String url) {
		clickCounted(scope, campaign, email, link, url).update(jdbc);
	}

	private static SqlStatement clickCounted(Scope scope, UUID campaign, UUID email, UUID link, String url) {
		return SqlStatement.of("""
				with person as (
				    insert into campaign_link_person (campaign_id, email_id, link_id, account_id)
				    values (:campaign, :email, :link, :account)
				    on conflict (campaign_id, email_id, link_id) do nothing returning email_id)
				insert into campaign_link as counted (campaign_id, link_id, slot, account_id, url, clicks, people)
				select :campaign, :link, email_count_slot(), :account, :url, 1, (select count(*) from person)
				on conflict (campaign_id, link_id, slot) do update
				   set clicks = counted.clicks + 1, people = counted.people + excluded.people
				""")
			.bind("campaign", campaign)
			.bind("email", email)
			.bind("link", link)
			.bind("account", scope.account())
			.bind("url", url);
	}

	Mono<Void> countUnsubscribed(Scope scope, UUID campaign, UUID contact) {
		return this.database.sql("""
				update campaign_recipient set unsubscribed_at = now()
				 where campaign_id = :campaign and contact_id = :contact and account_id = :account
				   and unsubscribed_at is null and email_id is not null
				""").bind("campaign", campaign).bind("contact", contact).bind("account", scope.account()).then();
	}

	@AcrossAccounts("the campaigns of all accounts are monitored")
	List<CampaignResults.Count> counts(JdbcClient jdbc) {
		return SqlStatement.of("select status, count(*) as count from campaign group by status")
			.list(jdbc, (row) -> new CampaignResults.Count(text(row, "status"), value(row, "count", Long.class)));
	}

}
