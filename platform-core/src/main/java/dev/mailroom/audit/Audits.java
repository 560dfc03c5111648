package dev.mailroom.audit;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.ClientDevice;
import dev.mailroom.ClientNetwork;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Writes and reads the audit log. All methods join the caller's transaction. */
@Service
public class Audits {

	private final AuditStore store;

	private final NoArgGenerator ids;

	private final Clock clock;

	Audits(AuditStore store, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.ids = ids;
		this.clock = clock;
	}

	/** Records a change that an account makes to its own data. */
	public Mono<Void> record(Scope scope, Act act, Object target, Map<String, Object> details) {
		boolean key = scope.apiKey() != null;
		return insert(scope.account(), (scope.apiKey() != null) ? scope.apiKey() : scope.person().account(),
				key ? "api_key" : "person", act, target, null, details);
	}

	/**
	 * Records an act of an operator. The transaction must span accounts.
	 * @param account the account concerned; null if the whole platform is
	 * @param reason null for acts without one
	 */
	public Mono<Void> recordOperator(Scope operator, @Nullable UUID account, Act act, Object target,
			@Nullable String reason, Map<String, Object> details) {
		return insert(account, operator.account(), "operator", act, target, reason, details);
	}

	private Mono<Void> insert(@Nullable UUID account, UUID actor, String kind, Act act, Object target,
			@Nullable String reason, Map<String, Object> details) {
		return Mono.zip(ClientNetwork.address(), ClientDevice.current())
			.flatMap((client) -> this.store
				.insert(new AuditEntry(this.ids.generate(), account, actor, kind, act.contractName(), target.toString(),
						reason, details, known(client.getT1()), known(client.getT2()), this.clock.instant())));
	}

	private static @Nullable String known(String text) {
		return text.isEmpty() ? null : text;
	}

	/**
	 * The entries that match, newest first, in the order in which the page reads them,
	 * and one more than it holds if there are more. The transaction must span accounts.
	 */
	public Mono<List<AuditEntry>> list(AuditEntry.Filter filter, Page.Request page) {
		return this.store.list(filter, page).collectList();
	}

	/**
	 * The entries of some accounts that match, without the notes of operators, like
	 * {@link #list(AuditEntry.Filter, Page.Request)}. The transaction must span them.
	 */
	@AcrossAccounts("the people of one account have rows of their own")
	public Mono<List<AuditEntry>> list(Collection<UUID> accounts, AuditEntry.Filter filter, Page.Request page) {
		return this.store.list(accounts, filter, page).collectList();
	}

}
