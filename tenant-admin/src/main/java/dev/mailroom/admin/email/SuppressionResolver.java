package dev.mailroom.admin.email;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.mail.outcome.Suppression;
import dev.mailroom.mail.outcome.Suppressions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The suppression list. */
@Controller
class SuppressionResolver {

	private final Suppressions suppressions;

	SuppressionResolver(Suppressions suppressions) {
		this.suppressions = suppressions;
	}

	@SchemaMapping
	Mono<Connection<Suppression>> suppressions(Viewer viewer, PageArguments page, @Argument @Nullable String search) {
		return Mono.defer(() -> {
			Page.Request request = page.byCursor();
			return this.suppressions.read(viewer.scope(), search, request)
				.map((entries) -> Connection.of(entries, request, Suppression::cursor));
		});
	}

	@SchemaMapping
	String reason(Suppression suppression) {
		return suppression.reason().contractName();
	}

	@MutationMapping
	Mono<Map<String, Object>> addSuppression(Scope scope, @Argument SuppressionInput input) {
		return Payload.of("suppression",
				this.suppressions.enter(scope, input.form()).map(Suppression.Entered::suppression));
	}

	@MutationMapping
	Mono<Map<String, Object>> addSuppressions(Scope scope, @Argument AddSuppressionsInput input) {
		List<Suppression.@Nullable Form> forms = input.addresses()
			.stream().<Suppression
			.@Nullable Form>map(SuppressionInput::form)
			.toList();
		return Payload.of("added", this.suppressions.enterAll(scope, forms));
	}

	@MutationMapping
	Mono<Map<String, Object>> removeSuppression(Scope scope, @Argument UUID id) {
		return Payload.of("deletedId", this.suppressions.lift(scope, id).thenReturn(id));
	}

	/** An address to suppress. */
	record SuppressionInput(String email, @Nullable String reason) {

		Suppression.Form form() {
			return new Suppression.Form(this.email, this.reason);
		}

	}

	/** Addresses to suppress. */
	record AddSuppressionsInput(List<SuppressionInput> addresses) {
	}

}
