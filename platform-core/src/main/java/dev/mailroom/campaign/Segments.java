package dev.mailroom.campaign;

import java.time.Clock;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.FieldErrors;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Saved conditions on contacts. */
@Service
public class Segments {

	/** Segments that an account may have. */
	private static final int MAX_COUNT = 100;

	private static final int MAX_NAME_LENGTH = 200;

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private final SegmentStore store;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	Segments(SegmentStore store, Transactions transactions, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
	}

	/** All segments of the account, by name. */
	public Mono<List<Segment>> list(Scope scope) {
		return this.transactions.list(scope, this.store.list(scope, MAX_COUNT).collectList());
	}

	/**
	 * Saves a segment; one with the same name gets the new filter.
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Segment> save(Scope scope, String name, Object filter) {
		return Mono.defer(() -> {
			FieldErrors errors = new FieldErrors();
			String stripped = name.strip();
			if (stripped.isEmpty() || stripped.length() > MAX_NAME_LENGTH || stripped.indexOf('\0') >= 0) {
				errors.add("name", "must have 1 to " + MAX_NAME_LENGTH + " characters");
			}
			RecipientFilter.check(filter, errors);
			errors.refuseIfAny();
			return this.transactions
				.in(scope,
						this.store.save(scope, this.ids.generate(), stripped, filter, MAX_COUNT, this.clock.instant()))
				.switchIfEmpty(Mono.error(() -> Refusal.INVALID_REQUEST.field("name",
						"is one too many: an account may have " + MAX_COUNT + " segments")));
		});
	}

	/**
	 * Deletes a segment. Campaigns keep their copies of its filter.
	 * @throws dev.mailroom.Refused {@code Not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no segment " + id)))
			.then();
	}

}
