package dev.mailroom.mail.log;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.database.IdRange;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL that counts the newest mails of an account. */
@Repository
class RecentMailStore {

	/** Limit on the difference between the clocks of the processes that create ids. */
	private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

	private final DatabaseClient database;

	RecentMailStore(DatabaseClient database) {
		this.database = database;
	}

	/** Counts by hour and status; the lowest id selects the partitions. */
	Flux<RecentFigures.Count> counts(Scope scope, @Nullable UUID domainId, Instant since) {
		DatabaseClient.GenericExecuteSpec sql = this.database.sql("""
				select date_trunc('hour', created_at, 'UTC') as at, status, last_event = 'scheduled' as scheduled,
				       count(*) as count, min(created_at) as oldest
				  from (select created_at, status, last_event from email
				         where account_id = :account and created_at >= :since and id >= :lowest%s
				         order by created_at desc, id desc limit :read) as newest
				 group by 1, 2, 3
				""".formatted((domainId != null) ? " and domain_id = :domain" : ""))
			.bind("account", scope.account())
			.bind("since", since)
			.bind("lowest", IdRange.lowest(since.minus(CLOCK_DIFFERENCE)))
			.bind("read", RecentFigures.MAX_READ);
		return ((domainId != null) ? sql.bind("domain", domainId) : sql).mapProperties(RecentFigures.Count.class).all();
	}

}
