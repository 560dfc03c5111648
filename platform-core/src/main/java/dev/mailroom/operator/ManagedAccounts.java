package dev.mailroom.operator;

import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountRows;
import dev.mailroom.account.Accounts;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.closure.AccountDeletions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Search and changes of accounts by operators. */
@Service
public class ManagedAccounts {

	/** Requests to send per second and instance. */
	private static final int MAX_RATE = 10_000;

	private final ManagedAccountStore store;

	private final Accounts accounts;

	private final AutoPause pauses;

	private final AccountDeletions deletions;

	private final Audits audits;

	private final Transactions transactions;

	private final NoArgGenerator ids;

	private final Clock clock;

	ManagedAccounts(ManagedAccountStore store, Accounts accounts, AutoPause pauses, AccountDeletions deletions,
			Audits audits, Transactions transactions, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.accounts = accounts;
		this.pauses = pauses;
		this.deletions = deletions;
		this.audits = audits;
		this.transactions = transactions;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * The accounts that match, newest first, in the order in which the page reads them,
	 * and one more than it holds if there are more.
	 */
	public Mono<List<ManagedAccount>> list(Operator operator, ManagedAccount.Filter filter, Page.Request page) {
		return this.transactions.listAcrossAccounts(this.store.list(filter, page).collectList());
	}

	/**
	 * Finds an account.
	 * @throws dev.mailroom.Refused {@code Not found}
	 */
	public Mono<ManagedAccount> find(Operator operator, UUID id) {
		return this.transactions.acrossAccounts(existing(id));
	}

	/** The notes about accounts by account, newest first. */
	public Mono<Map<UUID, Collection<ManagedAccount.Note>>> notes(Operator operator, Collection<UUID> ids) {
		return this.transactions
			.listAcrossAccounts(this.store.notes(ids).collectMultimap(ManagedAccount.Note::accountId));
	}

	/** The addresses of the owners of accounts by account. */
	public Mono<Map<UUID, String>> addresses(Operator operator, Collection<UUID> ids) {
		return this.transactions.listAcrossAccounts(this.store.addresses(ids)
			.collectMap(ManagedAccountStore.Address::id, ManagedAccountStore.Address::email));
	}

	/**
	 * Pauses an account and its running campaigns. The owner is sent the reason. A paused
	 * account stays as it is.
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> suspend(Operator operator, UUID id, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			if (AccountRows.isReserved(why)) {
				throw OperationRefusals.invalid("reason", "is that of a move or of a deletion: use another one");
			}
			return change(id, this.pauses.suspend(Scope.of(id), why).filter(Boolean::booleanValue),
					record(operator, id, Act.ACCOUNT_SUSPENDED, why, Map.of()));
		});
	}

	/**
	 * Lifts the pause of an account. An account that is not paused stays as it is.
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> resume(Operator operator, UUID id, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			return change(id, this.pauses.lift(Scope.of(id)).filter(Boolean::booleanValue),
					record(operator, id, Act.ACCOUNT_RESUMED, why, Map.of()));
		});
	}

	/**
	 * Asks for the deletion of an account. Its owners are told. An account that is being
	 * deleted or moved, or is no tenant's, stays as it is.
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> delete(Operator operator, UUID id, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			return change(id, this.deletions.pause(Scope.of(id)).filter(Boolean::booleanValue),
					record(operator, id, Act.ACCOUNT_DELETION_ASKED, why, Map.of()));
		});
	}

	/**
	 * Cancels the deletion of an account, unless it has begun. Its owners are told.
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> cancelDeletion(Operator operator, UUID id, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			return change(id, this.deletions.resume(Scope.of(id)).filter(Boolean::booleanValue),
					record(operator, id, Act.ACCOUNT_DELETION_CANCELLED, why, Map.of()));
		});
	}

	/**
	 * Changes the plan of an account, and with it the limits.
	 * @param reason null if the operator gave none
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> setPlan(Operator operator, UUID id, String plan, @Nullable String reason) {
		Mono<Boolean> changed = this.store.planExists(plan)
			.filter(Boolean::booleanValue)
			.switchIfEmpty(Mono.error(() -> OperationRefusals.invalid("plan", "is not the name of a plan")))
			.then(Mono.defer(() -> this.accounts.setPlan(Scope.of(id), plan)));
		return Mono.defer(() -> change(id, changed, record(operator, id, Act.ACCOUNT_PLAN_CHANGED,
				OperationRefusals.optional("reason", reason), Map.of("plan", plan))));
	}

	/**
	 * Sets limits of one account in place of those of its plan and of the platform.
	 * Quotas follow at once, the rate within a few seconds.
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> setLimits(Operator operator, UUID id, ManagedAccount.Limits limits,
			@Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			check("dailyLimit", limits.dailyLimit(), 0, Long.MAX_VALUE);
			check("monthlyLimit", limits.monthlyLimit(), 0, Long.MAX_VALUE);
			@Nullable Integer rate = limits.sendRate();
			check("sendRate", (rate != null) ? Long.valueOf(rate) : null, 1, MAX_RATE);
			Map<String, Object> details = new HashMap<>();
			details.put("daily_limit", text(limits.dailyLimit()));
			details.put("monthly_limit", text(limits.monthlyLimit()));
			details.put("send_rate", text(rate));
			return change(id, this.accounts.setLimits(Scope.of(id), limits.dailyLimit(), limits.monthlyLimit(),
					limits.sendRate()), record(operator, id, Act.ACCOUNT_LIMITS_CHANGED, why, details));
		});
	}

	private static void check(String field, @Nullable Long limit, long min, long max) {
		if (limit != null && (limit < min || limit > max)) {
			throw OperationRefusals.invalid(field, "must be a whole number from " + min + " to " + max);
		}
	}

	private static Object text(@Nullable Number limit) {
		return (limit != null) ? limit : "default";
	}

	/**
	 * Sets the transport of an account's mail.
	 * @param transport relay or mx; null for the platform's
	 * @param reason null if the operator gave none
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> chooseTransport(Operator operator, UUID id, @Nullable String transport,
			@Nullable String reason) {
		Map<String, Object> details = Map.of("transport", (transport != null) ? transport : "default");
		return Mono.defer(() -> change(id, this.accounts.chooseTransport(Scope.of(id), transport).map((_) -> true),
				record(operator, id, Act.ACCOUNT_TRANSPORT_CHOSEN, OperationRefusals.optional("reason", reason),
						details)));
	}

	/**
	 * Adds a note about an account.
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<ManagedAccount> addNote(Operator operator, UUID id, @Nullable String text) {
		return Mono.defer(() -> {
			ManagedAccount.Note note = new ManagedAccount.Note(this.ids.generate(), id, operator.scope().account(),
					OperationRefusals.required("note", text), this.clock.instant());
			return change(id, this.store.insert(note).thenReturn(true),
					record(operator, id, Act.ACCOUNT_NOTE_ADDED, null, Map.of()));
		});
	}

	/**
	 * Records that an operator looks at the data of an account.
	 * @return the scope of the account, to be read only
	 * @throws dev.mailroom.Refused {@code Not found} or {@code Invalid request data}
	 */
	public Mono<Scope> watch(Operator operator, UUID id, @Nullable String reason) {
		return Mono.defer(() -> {
			String why = OperationRefusals.required("reason", reason);
			return change(id, Mono.just(true), record(operator, id, Act.ACCOUNT_WATCHED, why, Map.of()))
				.map((account) -> Scope.of(account.id()));
		});
	}

	/**
	 * Records that an operator no longer looks at the data of an account.
	 * @throws dev.mailroom.Refused {@code Not found}
	 */
	public Mono<Void> endWatch(Operator operator, UUID id) {
		return change(id, Mono.just(true), record(operator, id, Act.ACCOUNT_WATCH_ENDED, null, Map.of())).then();
	}

	/** Changes an existing account and records it, unless nothing was changed. */
	private Mono<ManagedAccount> change(UUID id, Mono<Boolean> change, Mono<Void> record) {
		return this.transactions
			.acrossAccounts(existing(id).then(change).delayUntil((_) -> record).then(Mono.defer(() -> existing(id))));
	}

	private Mono<Void> record(Operator operator, UUID id, Act act, @Nullable String reason,
			Map<String, Object> details) {
		return Mono.defer(() -> this.audits.recordOperator(operator.scope(), id, act, "", reason, details));
	}

	private Mono<ManagedAccount> existing(UUID id) {
		return this.store.find(Scope.of(id)).switchIfEmpty(Mono.error(() -> OperationRefusals.missing(id)));
	}

}
