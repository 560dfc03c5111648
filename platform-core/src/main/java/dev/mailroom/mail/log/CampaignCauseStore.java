package dev.mailroom.mail.log;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.IdRange;
import dev.mailroom.mail.outcome.Reputations;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL that counts the causes of returned mails. */
@Repository
class CampaignCauseStore {

	private static final int MAX_READ = 10_000;

	private static final int MAX_CAUSES = 10;

	/** Limit on the difference between the clocks of the processes that create ids. */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

	private final DatabaseClient database;

	CampaignCauseStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Causes as those of the reputation: an enhanced status code, complaint or other. The
	 * lowest id selects the partitions.
	 */
	Flux<Reputations.Cause> causes(Scope scope, UUID campaign, Instant since) {
		return this.database
			.sql("""
					select case when email.status = 'complained' then 'complaint'
					            else coalesce(substring(delivery.reply from '(?:^|[^0-9.])(5\\.[0-7]\\.[0-9]{1,2})(?![0-9.])'), 'other')
					       end as cause, count(*) as count
					  from (select id from email_trouble
					         where account_id = :account and status in ('bounced', 'complained') and created_at >= :since
					           and id >= :lowest
					         order by created_at, id limit :read) as trouble
					  join email on email.id = trouble.id and email.account_id = :account and email.campaign_id = :campaign
					  join delivery on delivery.email_id = email.id and delivery.account_id = :account
					 where email.id >= :lowest and delivery.email_id >= :lowest
					 group by 1 order by 2 desc, 1 limit :causes
					""")
			.bind("account", scope.account())
			.bind("campaign", campaign)
			.bind("since", since)
			.bind("lowest", IdRange.lowest(since.minus(CLOCK_DIFFERENCE)))
			.bind("read", MAX_READ)
			.bind("causes", MAX_CAUSES)
			.mapProperties(Reputations.Cause.class)
			.all();
	}

}
