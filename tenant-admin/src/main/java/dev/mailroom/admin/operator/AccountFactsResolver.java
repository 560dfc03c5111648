package dev.mailroom.admin.operator;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Callers;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.operator.OperatorResolver.Console;
import dev.mailroom.audit.AuditEntry;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.mail.log.AccountUsage;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Usages;
import dev.mailroom.mail.outcome.DeadLetters;
import dev.mailroom.operator.ManagedAccount;
import dev.mailroom.operator.ManagedAccounts;
import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.BatchMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/**
 * Domains and usage of an account, and the addresses of the accounts that lists name by
 * id.
 */
@Controller
class AccountFactsResolver {

	private final OperatorArguments operators;

	private final ManagedAccounts accounts;

	private final Domains domains;

	private final Usages usages;

	AccountFactsResolver(OperatorArguments operators, ManagedAccounts accounts, Domains domains, Usages usages) {
		this.operators = operators;
		this.accounts = accounts;
		this.domains = domains;
		this.usages = usages;
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<Domain>> accountDomains(Console console, @Argument UUID account) {
		return this.accounts.find(console.operator(), account)
			.flatMap((found) -> this.domains.read(Scope.of(found.id()), new Page.Request(1, PageArguments.MAX_FIRST)));
	}

	@SchemaMapping(typeName = "Operator")
	Mono<AccountUsage> accountUsage(Console console, @Argument UUID account) {
		return this.accounts.find(console.operator(), account).flatMap((found) -> this.usages.of(Scope.of(found.id())));
	}

	@BatchMapping(typeName = "AuditEntry")
	Mono<Map<AuditEntry, String>> actorEmail(List<AuditEntry> entries, GraphQLContext context) {
		return addresses(entries, (entry) -> entry.actorKind().equals("api_key") ? null : entry.actorId(), context);
	}

	@BatchMapping(typeName = "AuditEntry", field = "accountEmail")
	Mono<Map<AuditEntry, String>> auditedEmail(List<AuditEntry> entries, GraphQLContext context) {
		return addresses(entries, AuditEntry::accountId, context);
	}

	@BatchMapping(typeName = "DeadLetter", field = "accountEmail")
	Mono<Map<DeadLetters.Entry, String>> ownerEmail(List<DeadLetters.Entry> letters, GraphQLContext context) {
		return addresses(letters, DeadLetters.Entry::accountId, context);
	}

	@BatchMapping(typeName = "FoundEmail", field = "accountEmail")
	Mono<Map<Email, String>> senderEmail(List<Email> emails, GraphQLContext context) {
		return addresses(emails, Email::accountId, context);
	}

	@BatchMapping(typeName = "AccountNote")
	Mono<Map<ManagedAccount.Note, String>> authorEmail(List<ManagedAccount.Note> notes, GraphQLContext context) {
		return addresses(notes, ManagedAccount.Note::authorId, context);
	}

	/** The address of the account of each item, with one query for all. */
	<T> Mono<Map<T, String>> addresses(List<T> items, Function<T, @Nullable UUID> account, GraphQLContext context) {
		Collection<UUID> ids = items.stream().map(account).filter(Objects::nonNull).collect(Collectors.toSet());
		return this.operators.authorize(Callers.require(context))
			.flatMap((operator) -> this.accounts.addresses(operator, ids))
			.map((byId) -> {
				Map<T, String> addresses = new HashMap<>();
				for (T item : items) {
					@Nullable UUID id = account.apply(item);
					@Nullable String address = (id != null) ? byId.get(id) : null;
					if (address != null) {
						addresses.put(item, address);
					}
				}
				return addresses;
			});
	}

}
