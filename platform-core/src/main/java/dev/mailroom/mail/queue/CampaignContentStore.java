package dev.mailroom.mail.queue;

import java.util.Collection;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** Reads the contents of started campaigns. */
@Repository
class CampaignContentStore {

	private final DatabaseClient database;

	CampaignContentStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("workers render mails of all accounts")
	Flux<CampaignContents.CampaignContent> contents(Collection<UUID> campaigns) {
		return this.database.sql("""
				select id as campaign_id, subject, html_content as html, text_content as text from campaign
				 where id = any(:ids) and started_at is not null
				""")
			.bind("ids", campaigns.toArray(UUID[]::new))
			.mapProperties(CampaignContents.CampaignContent.class)
			.all();
	}

}
