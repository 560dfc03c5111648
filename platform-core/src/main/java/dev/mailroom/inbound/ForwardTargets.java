package dev.mailroom.inbound;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.tracking.TrackingToken;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Addresses to which routes may forward mail, after their owners have confirmed. */
@Service
public class ForwardTargets {

	private static final int MAX_TARGETS = 100;

	private static final Refusal NOT_FOUND = Refusal.notFound("Forward target not found");

	private static final Refusal DUPLICATE = Refusal.conflict("Duplicate forward target");

	private static final Refusal CONFIRMED = Refusal.conflict("Forward target confirmed");

	private static final Refusal LIMIT = Refusal.forbidden("Forward target limit reached");

	private final ForwardTargetStore store;

	private final Transactions transactions;

	private final Audits audits;

	private final NoArgGenerator ids;

	private final Clock clock;

	ForwardTargets(ForwardTargetStore store, Transactions transactions, Audits audits, NoArgGenerator ids,
			Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.audits = audits;
		this.ids = ids;
		this.clock = clock;
	}

	/** Lists the targets of an account, oldest first. */
	public Mono<List<ForwardTarget>> list(Scope scope) {
		return this.transactions.in(scope, this.store.list(scope).collectList());
	}

	/**
	 * Adds a target, whose owner is to be asked.
	 * @throws dev.mailroom.Refused {@code Invalid request data},
	 * {@code Duplicate forward target} or {@code Forward target limit reached}
	 */
	public Mono<ForwardTarget> create(Scope scope, @Nullable String text) {
		return Mono.defer(() -> {
			EmailAddress address = Optional.ofNullable(text)
				.flatMap(EmailAddress::parse)
				.orElseThrow(() -> Refusal.INVALID_REQUEST.field("address", "must be an address"));
			Mono<ForwardTarget> created = this.store.list(scope)
				.count()
				.filter((count) -> count < MAX_TARGETS)
				.switchIfEmpty(Mono.error(
						() -> LIMIT.because("An account has at most " + MAX_TARGETS + " forward targets: delete one")))
				.flatMap((_) -> this.store.insert(scope, this.ids.generate(), address))
				.switchIfEmpty(Mono.error(() -> DUPLICATE.because(address + " is a forward target of the account")))
				.delayUntil((target) -> this.audits.record(scope, Act.FORWARD_TARGET_CREATED, target.id(),
						Map.of("address", target.address())));
			return this.transactions.in(scope, created);
		});
	}

	/**
	 * Finds a target whose owner is asked again.
	 * @throws dev.mailroom.Refused {@code Forward target not found} or
	 * {@code Forward target confirmed}
	 */
	public Mono<ForwardTarget> resend(Scope scope, UUID id) {
		Mono<ForwardTarget> found = this.store.find(scope, id).doOnNext((target) -> {
			if (target.confirmed()) {
				throw CONFIRMED.because(target.address() + " is confirmed: mail is forwarded to it");
			}
		})
			.delayUntil((target) -> this.audits.record(scope, Act.FORWARD_TARGET_ASKED, id,
					Map.of("address", target.address())));
		return required(id, this.transactions.in(scope, found));
	}

	/**
	 * Deletes a target: routes no longer forward mail to it.
	 * @throws dev.mailroom.Refused {@code Forward target not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		Mono<String> deleted = this.store.delete(scope, id)
			.delayUntil(
					(address) -> this.audits.record(scope, Act.FORWARD_TARGET_DELETED, id, Map.of("address", address)));
		return required(id, this.transactions.in(scope, deleted)).then();
	}

	/** The target of a link; empty if it was deleted. */
	public Mono<ForwardTarget> of(TrackingToken.ForwardConfirmation link) {
		Scope scope = Scope.of(link.accountId());
		return this.transactions.in(scope, this.store.find(scope, link.target()));
	}

	/**
	 * Confirms a target for its owner, unless the link is too old. Repeating it has no
	 * further effect.
	 * @return the target after it; empty if it was deleted
	 */
	public Mono<ForwardTarget> confirm(TrackingToken.ForwardConfirmation link) {
		Scope scope = Scope.of(link.accountId());
		return isExpired(link) ? of(link) : this.transactions.in(scope, this.store.confirm(scope, link.target()));
	}

	/** Whether a link is too old to confirm. */
	public boolean isExpired(TrackingToken.ForwardConfirmation link) {
		return link.isExpired(this.clock.instant());
	}

	private static <T> Mono<T> required(UUID id, Mono<T> result) {
		return result.switchIfEmpty(Mono.error(() -> NOT_FOUND.because("There is no forward target " + id)));
	}

}
