package dev.mailroom.outcome;

import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

import dev.mailroom.AcrossAccounts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/**
 * Moves deliveries by what is heard later, locked in the order in which all lock them.
 */
@Repository
@AcrossAccounts("deliveries that were heard of, each with its own account")
class FeedbackStore {

	private final DatabaseClient database;

	FeedbackStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Moves what may still move, forward alone: what is heard again finds it moved and
	 * changes nothing. Where one is told two things at once, the gravest counts. The
	 * first delay is told from the next ones by the reply, which a relay's acceptance
	 * began with 2.
	 */
	Flux<LateOutcome> move(List<FeedbackReport> news) {
		return this.database.sql("""
				with told as (
				    select distinct on (id) *
				      from unnest(:ids::uuid[], :accounts::uuid[], :words::text[], :bounces::text[], :said::text[])
				           as told(id, account_id, word, bounce, said)
				     order by id, array_position(array['complained', 'bounced', 'delivered', 'deferred'], word)),
				held as (
				    select delivery.id, delivery.status as was, email.domain_id, told.word, told.bounce, told.said
				      from delivery join told on told.id = delivery.id and told.account_id = delivery.account_id
				                    join email on email.id = delivery.email_id
				     where (told.word in ('bounced', 'complained')
				            and delivery.status in ('pending', 'sent', 'delivered'))
				        or (told.word = 'delivered' and delivery.status in ('pending', 'sent'))
				        or (told.word = 'deferred' and delivery.status = 'sent'
				            and (delivery.reply is null or delivery.reply like '2%'))
				     order by delivery.id for update of delivery)
				update delivery
				   set phase = 'done', lease_until = null,
				       status = case held.word when 'deferred' then delivery.status else held.word end,
				       reply = case held.word when 'complained' then delivery.reply else held.said end,
				       settled_at = coalesce(delivery.settled_at, now())
				  from held where delivery.id = held.id
				returning delivery.id, delivery.account_id, held.domain_id, delivery.email_id, delivery.recipient,
				          delivery.stream, held.was, held.word, delivery.attempt, held.bounce, held.said,
				          (delivery.settled_at at time zone 'UTC')::date as day
				""")
			.bind("ids", column(news, FeedbackReport::delivery, UUID[]::new))
			.bind("accounts", column(news, FeedbackReport::account, UUID[]::new))
			.bind("words", column(news, FeedbackReport::word, String[]::new))
			.bind("bounces", column(news, FeedbackReport::bounce, String[]::new))
			.bind("said", column(news, FeedbackReport::said, String[]::new))
			.mapProperties(LateOutcome.class)
			.all();
	}

	private static <T> @Nullable T[] column(List<FeedbackReport> rows, Function<FeedbackReport, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

}
