package dev.mailroom.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Transactions;
import dev.mailroom.outcome.Outcomes;
import dev.mailroom.outcome.Settlement;
import dev.mailroom.wire.RowColumns;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * The queue: a row for each mail and recipient, and PostgreSQL's clock alone says what is
 * due. A lease lets a worker take a delivery; the fence, just before the hand-over, makes
 * sure that no other does.
 */
@Service
public class Queue {

	private final Transactions transactions;

	private final QueueStore store;

	private final Fences fences;

	private final ContentFetcher fetching;

	private final Outcomes outcomes;

	private final QueueSettings settings;

	Queue(Transactions transactions, QueueStore store, Fences fences, ContentFetcher fetching, Outcomes outcomes,
			QueueSettings settings) {
		this.transactions = transactions;
		this.store = store;
		this.fences = fences;
		this.fetching = fetching;
		this.outcomes = outcomes;
		this.settings = settings;
	}

	/**
	 * Leases what is due, from every account in turn.
	 * @param window how many deliveries all workers may hold together
	 * @param share how many of them may be one account's
	 * @param after the account that was served last: the turn goes on behind it
	 */
	public Mono<Turn> lease(int window, int share, UUID after) {
		return this.transactions
			.byIndex(this.store.lease(window, share, after, this.settings.lease(), this.settings.aging()).collectList())
			.map((rows) -> Turn.of(rows, after));
	}

	/**
	 * Takes back what was leased and never settled. A hand-over that ended without an
	 * answer counts as ambiguous: the mail may have arrived.
	 * @return how many deliveries are in the queue again
	 */
	public Mono<Long> recover() {
		return this.transactions.byIndex(this.store.recover(this.settings));
	}

	/**
	 * Passes the fence with those deliveries that may be handed over now: the lease is
	 * the newest and not over, the account is not paused, the recipient not suppressed,
	 * and whoever is written to as a contact of a book still subscribed. What is missing
	 * from the answer must not be handed over. Callers at the same time share a
	 * transaction.
	 */
	public Mono<List<HandOver>> fence(List<Lease> leases) {
		return this.fences.pass(leases).flatMap(this::fetched).flatMap(this::settleBarred);
	}

	/** Puts leased deliveries back, as if they had never been leased. */
	public Mono<Void> giveBack(List<Lease> leases) {
		return putOff(leases, Duration.ZERO);
	}

	/** Puts leased deliveries back for a while: nothing was tried and nothing is told. */
	public Mono<Void> putOff(List<Lease> leases, Duration pause) {
		return leases.isEmpty() ? Mono.empty() : this.transactions.byIndex(this.store.putOff(leases, pause));
	}

	/** How much is in each phase, and how long its oldest has been due. */
	public Flux<Depth> depth() {
		return this.transactions.acrossAccounts(this.store.depth());
	}

	private Mono<FenceResult> fetched(FenceResult passed) {
		return this.fetching.complete(passed.mails())
			.map((fetched) -> new FenceResult(passed.held(), fetched.mails(), fetched.failed()));
	}

	private Mono<List<HandOver>> settleBarred(FenceResult passed) {
		List<Settlement> barred = passed.barred();
		// Should this fail, they stay held, and are barred again when they are leased
		// anew.
		Mono<Void> settled = barred.isEmpty() ? Mono.empty() : this.outcomes.settle(barred).onErrorComplete();
		return settled.thenReturn(passed.handOvers());
	}

	/**
	 * A turn of leases.
	 *
	 * @param last behind which account the next turn goes on; the nil id where this one
	 * came to the end of all accounts
	 * @param full whether it ended because the window has no more room
	 */
	public record Turn(List<Lease> leases, UUID last, boolean full) {

		/** Before all accounts. */
		public static final UUID START = new UUID(0, 0);

		static Turn of(List<Leased> rows, UUID after) {
			List<Lease> leases = new ArrayList<>();
			UUID last = after;
			for (Leased row : rows) {
				if (row.id() != null && row.epoch() != null && row.accountId() != null) {
					leases.add(new Lease(row.id(), row.epoch(), row.route(row.accountId())));
					last = (compare(row.accountId(), last) > 0) ? row.accountId() : last;
				}
			}
			boolean full = rows.isEmpty() || leases.size() >= rows.getFirst().places();
			return new Turn(List.copyOf(leases), full ? last : START, full);
		}

		/** As PostgreSQL orders them: by bytes, without a sign. */
		private static int compare(UUID one, UUID other) {
			return one.toString().compareTo(other.toString());
		}

	}

	/** How much is in a phase. */
	public record Depth(String phase, long count, double oldestSeconds) {
	}

	/** A row as it was leased, or none at all, beside the room that the window had. */
	record Leased(long places, @Nullable UUID id, @Nullable Integer epoch, @Nullable UUID accountId,
			@Nullable String recipient, @Nullable String transport, @Nullable Boolean requiresTls) {

		static Leased of(Readable row) {
			return new Leased(RowColumns.value(row, "places", Long.class), row.get("id", UUID.class),
					row.get("epoch", Integer.class), row.get("account_id", UUID.class),
					row.get("recipient", String.class), row.get("transport", String.class),
					row.get("requires_tls", Boolean.class));
		}

		Route route(UUID account) {
			return Route.to(String.valueOf(this.recipient), account, this.transport,
					Boolean.TRUE.equals(this.requiresTls));
		}

	}

}
