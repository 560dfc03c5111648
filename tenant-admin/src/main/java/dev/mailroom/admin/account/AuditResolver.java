package dev.mailroom.admin.account;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.account.AccountHistory;
import dev.mailroom.account.Right;
import dev.mailroom.admin.graphql.Callers;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.audit.AuditEntry;
import graphql.GraphQLContext;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The audit log of the caller's account, for its owners and admins. */
@Controller
class AuditResolver {

	private final AccountHistory history;

	AuditResolver(AccountHistory history) {
		this.history = history;
	}

	@SchemaMapping
	Mono<Connection<AccountAct>> auditLog(Viewer viewer, PageArguments page, @Argument @Nullable UUID memberId,
			@Argument @Nullable String act, @Argument @Nullable String target, @Argument @Nullable String actorKind,
			@Argument @Nullable Instant from, @Argument @Nullable Instant until, GraphQLContext context) {
		return Mono.defer(() -> {
			Callers.requireReader(context, Right.SETTINGS);
			Page.Request request = page.byCursor();
			AuditEntry.Filter filter = new AuditEntry.Filter(null, memberId, act, target, actorKind, from, until);
			return this.history.list(viewer.scope(), filter, request)
				.flatMap((entries) -> this.history.actors(viewer.scope(), entries)
					.map((names) -> entries.stream().map((entry) -> AccountAct.of(entry, names)).toList()))
				.map((acts) -> Connection.of(acts, request, AccountAct::cursor));
		});
	}

	/**
	 * An entry as the account sees it: operators are not named, nor their clients.
	 *
	 * @param actor address of a person or name of an API key; null if it is gone
	 */
	record AccountAct(UUID id, @Nullable UUID actorId, @Nullable String actor, String actorKind, String act,
			String target, @Nullable String reason, Map<String, Object> details, @Nullable String ip,
			@Nullable String device, Instant createdAt, Page.Cursor cursor) {

		private static AccountAct of(AuditEntry entry, Map<UUID, String> names) {
			boolean operator = entry.actorKind().equals("operator");
			return new AccountAct(entry.id(), operator ? null : entry.actorId(),
					operator ? null : names.get(entry.actorId()), entry.actorKind(), entry.act(), entry.target(),
					entry.reason(), entry.details(), operator ? null : entry.ip(), operator ? null : entry.device(),
					entry.createdAt(), entry.cursor());
		}

	}

}
