package dev.mailroom.admin.account;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.AccountUpdate;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.Caller;
import dev.mailroom.account.Secret;
import dev.mailroom.account.Sessions;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.closure.AccountDeletions;
import dev.mailroom.mail.log.AccountUsage;
import dev.mailroom.mail.log.Usages;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The account of the caller and its usage. */
@Controller
class ViewerResolver {

	private final Accounts accounts;

	private final Usages usages;

	private final Sessions sessions;

	private final AccountDeletions deletions;

	ViewerResolver(Accounts accounts, Usages usages, Sessions sessions, AccountDeletions deletions) {
		this.accounts = accounts;
		this.usages = usages;
		this.sessions = sessions;
		this.deletions = deletions;
	}

	@QueryMapping
	Viewer viewer(Scope scope) {
		return new Viewer(scope);
	}

	@SchemaMapping
	Mono<Account> account(Viewer viewer) {
		return this.accounts.find(viewer.scope());
	}

	@SchemaMapping(typeName = "Account")
	Mono<Instant> deleteAt(Account account) {
		return this.deletions.deleteAt(Scope.of(account.id()));
	}

	@SchemaMapping
	Mono<AccountUsage> usage(Viewer viewer) {
		return this.usages.of(viewer.scope());
	}

	@SchemaMapping
	Mono<List<Sessions.Open>> sessions(Viewer viewer) {
		return this.sessions.list(viewer.scope().person());
	}

	@SchemaMapping(typeName = "Session")
	boolean current(Sessions.Open session, Caller caller) {
		return session.id().equals(caller.session());
	}

	@MutationMapping
	Mono<Map<String, Object>> endSession(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.sessions.end(scope.person(), id).thenReturn(id));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateAccount(Scope scope, @Argument UpdateAccountInput input) {
		return Payload.of("account", Mono.defer(() -> this.accounts.update(scope, input.update())));
	}

	@MutationMapping
	Mono<Map<String, Object>> setTimeZone(Scope scope, @Argument SetTimeZoneInput input) {
		return Payload.of("account", this.accounts.setTimeZone(scope, input.timeZone()));
	}

	@MutationMapping
	Mono<Map<String, Object>> deleteAccount(Scope scope, @Argument DeleteAccountInput input) {
		return Payload.of("account", this.deletions.ask(scope, input.name(), Secret.of(input.password())));
	}

	@MutationMapping
	Mono<Map<String, Object>> cancelAccountDeletion(Scope scope) {
		return Payload.of("account", this.deletions.cancel(scope));
	}

	/** The name of an account to delete, and the password of its owner. */
	record DeleteAccountInput(String name, String password) {

		/** Without the password, for logs. */
		@Override
		public String toString() {
			return "DeleteAccountInput";
		}

	}

	/** A time zone for an account. */
	record SetTimeZoneInput(String timeZone) {
	}

	/** Changes of the caller's account; null fields stay unchanged. */
	record UpdateAccountInput(@Nullable String name, @Nullable String currentPassword, @Nullable String newPassword) {

		AccountUpdate update() {
			return AccountUpdate.of(this.name, secret(this.currentPassword), secret(this.newPassword));
		}

		private static @Nullable Secret secret(@Nullable String text) {
			return (text != null) ? Secret.of(text) : null;
		}

		/** Without the passwords, for logs. */
		@Override
		public String toString() {
			return "UpdateAccountInput";
		}

	}

}
