package dev.mailroom.admin.inbound;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.ShownText;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.inbound.InboundEmails;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Received mail. */
@Controller
class InboundResolver {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final InboundEmails emails;

	InboundResolver(InboundEmails emails) {
		this.emails = emails;
	}

	@SchemaMapping
	Mono<Connection<InboundEmail>> inboundEmails(Viewer viewer, PageArguments page, @Argument @Nullable UUID domainId,
			@Argument @Nullable String search) {
		return Mono.defer(() -> {
			Page.Request request = page.byCursor();
			return this.emails.read(viewer.scope(), domainId, search, request)
				.map((emails) -> Connection.of(emails, request, InboundEmail::cursor));
		});
	}

	/** Operators do not read the mail that an account received. */
	@SchemaMapping
	Mono<InboundEmail.Whole> inboundEmail(Viewer viewer, Caller caller, @Argument UUID id) {
		return viewer.scope().account().equals(caller.scope().account()) ? this.emails.find(viewer.scope(), id)
				: Mono.error(FORBIDDEN.because("Only the account may read mail that it received"));
	}

	@SchemaMapping(typeName = "InboundMail")
	Mono<List<InboundEmail.Header>> headers(InboundEmail.Whole mail) {
		return this.emails.headers(Scope.of(mail.email().accountId()), mail.email().id());
	}

	@SchemaMapping(typeName = "InboundMail")
	@Nullable String html(InboundEmail.Whole mail) {
		return ShownText.cut(mail.text().html());
	}

	@SchemaMapping(typeName = "InboundMail")
	@Nullable String text(InboundEmail.Whole mail) {
		return ShownText.cut(mail.text().text());
	}

	@SchemaMapping(typeName = "InboundMail")
	boolean truncated(InboundEmail.Whole mail) {
		return ShownText.isCut(mail.text().html(), mail.text().text());
	}

}
