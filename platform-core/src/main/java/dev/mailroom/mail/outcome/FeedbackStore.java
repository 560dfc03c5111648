package dev.mailroom.mail.outcome;

import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import dev.mailroom.AcrossAccounts;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.value;

/** SQL of late feedback. */
@Repository
@AcrossAccounts("reports name deliveries of any account")
class FeedbackStore {

	private final DatabaseClient database;

	FeedbackStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Applies reports to deliveries whose status they advance; other reports change
	 * nothing. Of several reports on a delivery the most severe is applied. Only the
	 * first delay is reported: it replaces the reply of the relay, which began with 2.
	 * Rows are locked in the order of their ids, those of the queue first.
	 */
	Flux<Moved> move(List<FeedbackReport> reports) {
		return this.database.sql("select id from queue where id = any(:ids) order by id for update")
			.bind("ids", column(reports, FeedbackReport::delivery, UUID[]::new))
			.then()
			.thenMany(Flux.defer(() -> moveLocked(reports)));
	}

	private Flux<Moved> moveLocked(List<FeedbackReport> reports) {
		return this.database
			.sql("""
					with report as (
					    select distinct on (id) *
					      from unnest(:ids::uuid[], :accounts::uuid[], :results::text[], :bounces::text[], :diagnostics::text[],
					                  :verified::boolean[])
					           as report(id, account_id, result, bounce, diagnostic, verified)
					     order by id, array_position(array['complained', 'bounced', 'delivered', 'deferred'], result),
					              verified desc),
					locked as (
					    select delivery.id, delivery.email_id, delivery.status, email.domain_id, report.result, report.bounce, report.diagnostic,
					           report.verified
					      from delivery join report on report.id = delivery.id and report.account_id = delivery.account_id
					                    join email on email.id = delivery.email_id
					     where (report.result in ('bounced', 'complained')
					            and delivery.status in ('pending', 'sent', 'delivered'))
					        or (report.result = 'delivered' and delivery.status in ('pending', 'sent'))
					        or (report.result = 'deferred' and delivery.status = 'sent'
					            and (delivery.reply is null or delivery.reply like '2%'))
					     order by delivery.id for update of delivery),
					removed as (
					    delete from queue using locked where queue.id = locked.id
					    returning queue.id, queue.attempt, queue.ambiguous),
					returned as (
					    delete from lease using removed where lease.id = removed.id)
					update delivery
					   set attempt = coalesce((select attempt from removed where id = delivery.id), delivery.attempt),
					       ambiguous = coalesce((select ambiguous from removed where id = delivery.id), delivery.ambiguous),
					       status = case locked.result when 'deferred' then delivery.status else locked.result end,
					       reply = case locked.result when 'complained' then delivery.reply else locked.diagnostic end,
					       settled_at = coalesce(delivery.settled_at, now())
					  from locked where delivery.id = locked.id and delivery.email_id = locked.email_id
					returning delivery.id, delivery.account_id, locked.domain_id, delivery.email_id, delivery.recipient,
					          delivery.stream, locked.result, delivery.attempt, false as first, true as first_delay,
					          locked.bounce, locked.diagnostic as reply, 0::float8 as waited_seconds,
					          case locked.status when 'sent' then 'SENT' when 'delivered' then 'DELIVERED' end as counted_as,
					          (delivery.settled_at at time zone 'UTC')::date as day, locked.verified
					""")
			.bind("ids", column(reports, FeedbackReport::delivery, UUID[]::new))
			.bind("accounts", column(reports, FeedbackReport::account, UUID[]::new))
			.bind("results", column(reports, (report) -> report.result().wire(), String[]::new))
			.bind("bounces", column(reports, FeedbackReport::bounceType, String[]::new))
			.bind("diagnostics", column(reports, FeedbackReport::diagnostic, String[]::new))
			.bind("verified", column(reports, FeedbackReport::verified, Boolean[]::new))
			.map(Moved::of)
			.all();
	}

	/** The deliveries of a mail. */
	Flux<MessageIdMatch.Sent> sent(UUID email) {
		return this.database.sql("select account_id, id, recipient from delivery where email_id = :email")
			.bind("email", email)
			.mapProperties(MessageIdMatch.Sent.class)
			.all();
	}

	Mono<String> recipient(UUID delivery) {
		return this.database.sql("select recipient from delivery where id = :delivery")
			.bind("delivery", delivery)
			.mapValue(String.class)
			.one();
	}

	private static <T> @Nullable T[] column(List<FeedbackReport> rows, Function<FeedbackReport, @Nullable T> column,
			IntFunction<@Nullable T[]> array) {
		return rows.stream().map(column).toArray(array);
	}

	/**
	 * A delivery whose status was changed by a report.
	 *
	 * @param countedAs the metric under which the delivery was counted before; null if it
	 * was not
	 * @param day day of UTC on which it was first settled and counted
	 * @param verified whether the sender of the report is known
	 */
	record Moved(SettledDelivery delivery, ReputationCount.@Nullable Metric countedAs, LocalDate day,
			boolean verified) {

		static Moved of(Readable row) {
			String counted = row.get("counted_as", String.class);
			return new Moved(SettledDelivery.of(row),
					(counted != null) ? ReputationCount.Metric.valueOf(counted) : null,
					value(row, "day", LocalDate.class), value(row, "verified", Boolean.class));
		}

		/**
		 * Changes of the domain's counts of that day. A mail is counted once as sent,
		 * delivered or bounced; a complaint is counted in addition to the delivery,
		 * because the complaint rate refers to delivered mail.
		 */
		Stream<Correction> corrections() {
			return switch (this.delivery.result()) {
				case BOUNCED -> Stream.concat(revoked(), this.delivery.isHardBounce()
						? Stream.of(change(ReputationCount.Metric.HARD_BOUNCED, 1)) : Stream.empty());
				case DELIVERED -> Stream.concat(revoked(), Stream.of(change(ReputationCount.Metric.DELIVERED, 1)));
				case COMPLAINED -> Stream.concat(revoked(), Stream.of(change(ReputationCount.Metric.DELIVERED, 1),
						change(ReputationCount.Metric.COMPLAINED, 1)));
				case SENT, DEFERRED, UNOPENED, UNANSWERED, SUPPRESSED, FAILED, EXPIRED -> Stream.empty();
			};
		}

		private Stream<Correction> revoked() {
			return (this.countedAs != null) ? Stream.of(change(this.countedAs, -1)) : Stream.empty();
		}

		private Correction change(ReputationCount.Metric metric, int change) {
			return new Correction(this.delivery.count(metric), this.day, change, this.verified);
		}

	}

}
