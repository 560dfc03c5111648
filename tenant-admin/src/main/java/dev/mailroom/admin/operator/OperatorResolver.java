package dev.mailroom.admin.operator;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.account.Caller;
import dev.mailroom.admin.email.SentMails;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.audit.AuditEntry;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.MailSearch;
import dev.mailroom.mail.outcome.DeadLetters;
import dev.mailroom.operator.AuditLog;
import dev.mailroom.operator.ManagedAccount;
import dev.mailroom.operator.ManagedAccounts;
import dev.mailroom.operator.ManagedDeadLetters;
import dev.mailroom.operator.Operator;
import dev.mailroom.operator.Plan;
import dev.mailroom.operator.Plans;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Accounts, mails and recorded changes for operators. */
@Controller
@SchemaMapping(typeName = "Operator")
class OperatorResolver {

	private final OperatorArguments operators;

	private final ManagedAccounts accounts;

	private final ManagedDeadLetters deadLetters;

	private final Plans plans;

	private final AuditLog audits;

	private final MailSearch search;

	OperatorResolver(OperatorArguments operators, ManagedAccounts accounts, ManagedDeadLetters deadLetters, Plans plans,
			AuditLog audits, MailSearch search) {
		this.operators = operators;
		this.accounts = accounts;
		this.deadLetters = deadLetters;
		this.plans = plans;
		this.audits = audits;
		this.search = search;
	}

	@QueryMapping
	Mono<Console> operator(Caller caller) {
		return this.operators.authorize(caller).map(Console::new);
	}

	@SchemaMapping
	Mono<Connection<ManagedAccount>> accounts(Console console, PageArguments page, @Argument @Nullable String search,
			@Argument @Nullable String plan, @Argument @Nullable Boolean paused, @Argument @Nullable Boolean atRisk) {
		return Mono.defer(() -> {
			Page.Request request = page.byCursor();
			return this.accounts
				.list(console.operator(), new ManagedAccount.Filter(search, plan, paused, atRisk), request)
				.map((found) -> Connection.of(found, request, ManagedAccount::cursor));
		});
	}

	@SchemaMapping
	Mono<ManagedAccount> account(Console console, @Argument UUID id) {
		return this.accounts.find(console.operator(), id);
	}

	@SchemaMapping
	Mono<Viewer> watch(Console console, @Argument UUID account, @Argument String reason) {
		return this.accounts.watch(console.operator(), account, reason).map(Viewer::new);
	}

	@SchemaMapping
	Mono<Connection<Email>> emails(Console console, PageArguments page, @Argument String search,
			@Argument String reason) {
		return Mono.defer(() -> {
			if (reason.isBlank()) {
				throw Refusal.INVALID_REQUEST.because("reason is required",
						List.of(new Refusal.Detail("reason", "is required")));
			}
			Page.Request request = page.byCursor();
			return this.search.findAcrossAccounts(console.operator().scope(), search, request, reason)
				.map((found) -> Connection.of(found, request, SentMails::cursor));
		});
	}

	@SchemaMapping
	Mono<List<DeadLetters.Entry>> deadLetters(Console console) {
		return this.deadLetters.newest(console.operator());
	}

	@SchemaMapping
	Mono<Connection<DeadLetters.Entry>> deadLetterList(Console console, PageArguments page,
			@Argument @Nullable Boolean requeued, @Argument @Nullable String why, @Argument @Nullable Instant from,
			@Argument @Nullable Instant until) {
		return Mono.defer(() -> {
			Page.Request request = page.byCursor();
			return this.deadLetters
				.list(console.operator(), new DeadLetters.Filter(requeued, why, from, until), request)
				.map((found) -> Connection.of(found, request, DeadLetters.Entry::cursor));
		});
	}

	@SchemaMapping
	Mono<List<Plan>> plans(Console console) {
		return this.plans.list(console.operator());
	}

	@SchemaMapping
	Mono<Connection<AuditEntry>> auditLog(Console console, PageArguments page, @Argument @Nullable UUID account,
			@Argument @Nullable UUID actor, @Argument @Nullable String act, @Argument @Nullable String target,
			@Argument @Nullable String actorKind, @Argument @Nullable Instant from, @Argument @Nullable Instant until) {
		return Mono.defer(() -> {
			Page.Request request = page.byCursor();
			AuditEntry.Filter filter = new AuditEntry.Filter(account, actor, act, target, actorKind, from, until);
			return this.audits.list(console.operator(), filter, request)
				.map((found) -> Connection.of(found, request, AuditEntry::cursor));
		});
	}

	/** The source of the fields for operators. */
	record Console(Operator operator) {
	}

}
