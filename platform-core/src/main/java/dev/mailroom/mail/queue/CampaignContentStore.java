package dev.mailroom.mail.queue;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.mail.queue.CampaignContents.CampaignContent;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Reads the contents of started campaigns. */
@Repository
@AcrossAccounts("workers render mails of all accounts")
class CampaignContentStore {

	List<CampaignContent> contents(JdbcClient jdbc, UUID[] campaigns) {
		return SqlStatement.of("""
				select id as campaign_id, subject, html_content as html, text_content as text from campaign
				 where id = any(:ids) and started_at is not null
				""").bind("ids", campaigns).list(jdbc, CampaignContent::of);
	}

}
