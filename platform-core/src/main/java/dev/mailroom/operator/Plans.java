package dev.mailroom.operator;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.mailroom.account.AccountRows;
import dev.mailroom.audit.Act;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** The plans of the platform. */
@Service
public class Plans {

	private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,49}");

	private final PlanStore store;

	private final AccountRows accounts;

	private final Audits audits;

	private final Transactions transactions;

	Plans(PlanStore store, AccountRows accounts, Audits audits, Transactions transactions) {
		this.store = store;
		this.accounts = accounts;
		this.audits = audits;
		this.transactions = transactions;
	}

	/** All plans by name. */
	public Mono<List<Plan>> list(Operator operator) {
		return this.transactions.acrossAccounts(this.store.list().collectList());
	}

	/**
	 * Creates a plan, or replaces the limits of the one with this name. They apply to its
	 * accounts at once.
	 * @param reason null if the operator gave none
	 * @throws dev.mailroom.Refused {@code Invalid request data}
	 */
	public Mono<Plan> save(Operator operator, Plan plan, @Nullable String reason) {
		return Mono.defer(() -> {
			check(plan);
			@Nullable String why = OperationRefusals.optional("reason", reason);
			Mono<Plan> saved = this.accounts.savePlan(plan.name(), plan.limits())
				.then(Mono.defer(() -> this.audits.recordOperator(operator.scope(), null, Act.PLAN_SAVED, plan.name(),
						why, details(plan))))
				.then(Mono.defer(() -> this.store.find(plan.name())));
			return this.transactions.acrossAccounts(saved);
		});
	}

	private static void check(Plan plan) {
		if (!NAME.matcher(plan.name()).matches()) {
			throw OperationRefusals.invalid("name", "must have 1 to 50 lower-case letters, digits, - and _");
		}
		boolean negative = Stream
			.<@Nullable Long>of(plan.dailyLimit(), plan.monthlyLimit(), plan.domainLimit(), plan.contactBookLimit(),
					plan.contactLimit())
			.anyMatch((limit) -> limit != null && limit < 0);
		if (negative) {
			throw OperationRefusals.invalid("limits", "must not be negative");
		}
	}

	private static Map<String, Object> details(Plan plan) {
		Map<String, Object> details = new HashMap<>();
		put(details, "daily_limit", plan.dailyLimit());
		put(details, "monthly_limit", plan.monthlyLimit());
		put(details, "domain_limit", plan.domainLimit());
		put(details, "contact_book_limit", plan.contactBookLimit());
		put(details, "contact_limit", plan.contactLimit());
		return details;
	}

	private static void put(Map<String, Object> details, String name, @Nullable Long limit) {
		details.put(name, (limit != null) ? limit : "none");
	}

}
