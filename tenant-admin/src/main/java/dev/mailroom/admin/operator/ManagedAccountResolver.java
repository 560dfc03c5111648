package dev.mailroom.admin.operator;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.admin.graphql.Callers;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.mail.outcome.DeadLetters;
import dev.mailroom.operator.ManagedAccount;
import dev.mailroom.operator.ManagedAccounts;
import dev.mailroom.operator.ManagedDeadLetters;
import dev.mailroom.operator.Operator;
import dev.mailroom.operator.Plan;
import dev.mailroom.operator.Plans;
import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

/** Details of accounts for operators, and changes by operators. */
@Controller
class ManagedAccountResolver {

	private final OperatorArguments operators;

	private final ManagedAccounts accounts;

	private final ManagedDeadLetters deadLetters;

	private final Plans plans;

	ManagedAccountResolver(OperatorArguments operators, ManagedAccounts accounts, ManagedDeadLetters deadLetters,
			Plans plans) {
		this.operators = operators;
		this.accounts = accounts;
		this.deadLetters = deadLetters;
		this.plans = plans;
	}

	/** The notes about all accounts of a list, with one query. */
	@BatchMapping
	Mono<Map<ManagedAccount, Collection<ManagedAccount.Note>>> notes(List<ManagedAccount> accounts,
			GraphQLContext context) {
		return this.operators.authorize(Callers.require(context))
			.flatMap((operator) -> this.accounts.notes(operator, accounts.stream().map(ManagedAccount::id).toList()))
			.map((byAccount) -> accounts.stream()
				.distinct()
				.collect(Collectors.toMap(Function.identity(),
						(account) -> byAccount.getOrDefault(account.id(), List.of()))));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorSuspendAccount(Operator operator, @Argument AccountReasonInput input) {
		return payload(this.accounts.suspend(operator, input.account(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorResumeAccount(Operator operator, @Argument AccountReasonInput input) {
		return payload(this.accounts.resume(operator, input.account(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorDeleteAccount(Operator operator, @Argument AccountReasonInput input) {
		return payload(this.accounts.delete(operator, input.account(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorCancelAccountDeletion(Operator operator, @Argument AccountReasonInput input) {
		return payload(this.accounts.cancelDeletion(operator, input.account(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorSetAccountPlan(Operator operator, @Argument SetPlanInput input) {
		return payload(this.accounts.setPlan(operator, input.account(), input.plan(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorSetAccountLimits(Operator operator, @Argument SetAccountLimitsInput input) {
		return payload(this.accounts.setLimits(operator, input.account(), input.limits(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorChooseAccountTransport(Operator operator, @Argument ChooseTransportInput input) {
		return payload(this.accounts.chooseTransport(operator, input.account(), input.transport(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorAddAccountNote(Operator operator, @Argument AddNoteInput input) {
		return payload(this.accounts.addNote(operator, input.account(), input.note()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorSavePlan(Operator operator, @Argument SavePlanInput input) {
		return Payload.of("plan", this.plans.save(operator, input.plan(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorRequeueDeadLetter(Operator operator, @Argument UUID id) {
		return Payload.of("requeuedId", this.deadLetters.requeue(operator, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorRequeueDeadLetters(Operator operator, @Argument RequeueDeadLettersInput input) {
		return Payload.of("requeued", this.deadLetters.requeueAll(operator, input.filter(), input.reason()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorDismissDeadLetter(Operator operator, @Argument DismissDeadLetterInput input) {
		return Payload.of("dismissedId", this.deadLetters.dismiss(operator, input.id(), input.reason()));
	}

	private static Mono<Map<String, Object>> payload(Mono<ManagedAccount> account) {
		return Payload.of("account", account);
	}

	/** An account and a reason. */
	record AccountReasonInput(UUID account, String reason) {
	}

	/** A plan of an account. */
	record SetPlanInput(UUID account, String plan, @Nullable String reason) {
	}

	/** Limits of an account. */
	record SetAccountLimitsInput(UUID account, @Nullable Long dailyLimit, @Nullable Long monthlyLimit,
			@Nullable Integer sendRate, String reason) {

		ManagedAccount.Limits limits() {
			return new ManagedAccount.Limits(this.dailyLimit, this.monthlyLimit, this.sendRate);
		}

	}

	/** Conditions on dead letters and a reason. */
	record RequeueDeadLettersInput(@Nullable String why, @Nullable Instant from, @Nullable Instant until,
			String reason) {

		DeadLetters.Filter filter() {
			return new DeadLetters.Filter(null, this.why, this.from, this.until);
		}

	}

	/** A dead letter and a reason. */
	record DismissDeadLetterInput(UUID id, String reason) {
	}

	/** A transport of an account. */
	record ChooseTransportInput(UUID account, @Nullable String transport, @Nullable String reason) {
	}

	/** A note about an account. */
	record AddNoteInput(UUID account, String note) {
	}

	/** Limits of a plan. */
	record SavePlanInput(String name, @Nullable Long dailyLimit, @Nullable Long monthlyLimit,
			@Nullable Long domainLimit, @Nullable Long contactBookLimit, @Nullable Long contactLimit,
			@Nullable String reason) {

		Plan plan() {
			return new Plan(this.name, this.dailyLimit, this.monthlyLimit, this.domainLimit, this.contactBookLimit,
					this.contactLimit, 0);
		}

	}

}
