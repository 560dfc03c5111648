package dev.mailroom.campaign;

import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.SqlStatement;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the results of campaigns. */
@Repository
class CampaignResultStore {

	private final DatabaseClient database;

	CampaignResultStore(DatabaseClient database) {
		this.database = database;
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

}
