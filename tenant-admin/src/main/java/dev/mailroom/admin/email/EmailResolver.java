package dev.mailroom.admin.email;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import dev.mailroom.Page;
import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.admin.graphql.Connection;
import dev.mailroom.admin.graphql.PageArguments;
import dev.mailroom.admin.graphql.ShownText;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Emails;
import dev.mailroom.mail.log.MailDetails;
import dev.mailroom.mail.log.MailFilter;
import dev.mailroom.mail.log.MailSearch;
import dev.mailroom.mail.log.MailState;
import dev.mailroom.mail.log.MailText;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** The log of emails. */
@Controller
class EmailResolver {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final Emails emails;

	private final MailSearch search;

	private final MailDetails details;

	EmailResolver(Emails emails, MailSearch search, MailDetails details) {
		this.emails = emails;
		this.search = search;
		this.details = details;
	}

	@SchemaMapping
	Mono<Connection<Email>> emails(Viewer viewer, PageArguments page, @Argument @Nullable UUID domainId,
			@Argument @Nullable String status, @Argument @Nullable Set<MailState> states,
			@Argument @Nullable String search, @Argument @Nullable UUID campaignId, @Argument @Nullable String stream,
			@Argument @Nullable TagInput tag, @Argument @Nullable Instant from, @Argument @Nullable Instant until) {
		return Mono.defer(() -> {
			Page.Request request = page.byCursor();
			MailFilter filter = new MailFilter(domainId, status, (states != null) ? states : Set.of(), campaignId,
					stream, (tag != null) ? tag.name() : null, (tag != null) ? tag.value() : null, from, until);
			return (search != null || filter.isSearch())
					? this.search.find(viewer.scope(), search, filter, request)
						.map((found) -> Connection.of(found, request, SentMails::cursor))
					: this.emails.list(viewer.scope(), new Email.Filter(domainId, status), request)
						.map((listed) -> Connection.of(listed, SentMails::cursor));
		});
	}

	@SchemaMapping
	Mono<Email> email(Viewer viewer, @Argument UUID id) {
		return this.emails.requireVisible(viewer.scope(), id);
	}

	/**
	 * An account reads its own content; an operator reads that of others with a reason.
	 */
	@SchemaMapping
	Mono<MailText> emailContent(Viewer viewer, Caller caller, @Argument UUID id, @Argument @Nullable String reason) {
		Scope owner = viewer.scope();
		if (owner.account().equals(caller.scope().account())) {
			return this.emails.requireVisible(owner, id).then(this.details.content(owner, id));
		}
		if (caller.role() != Caller.Role.OPERATOR) {
			return Mono.error(FORBIDDEN.because("Only the account and operators may read this mail"));
		}
		if (reason == null || reason.isBlank()) {
			String message = "is required to read the mail of another account";
			return Mono.error(Refusal.INVALID_REQUEST.field("reason", message));
		}
		return this.emails.requireVisible(owner, id)
			.then(this.details.contentForOperator(caller.scope(), owner, id, reason));
	}

	@SchemaMapping(typeName = "EmailContent")
	@Nullable String html(MailText content) {
		return ShownText.cut(content.html());
	}

	@SchemaMapping(typeName = "EmailContent")
	@Nullable String text(MailText content) {
		return ShownText.cut(content.text());
	}

	@SchemaMapping(typeName = "EmailContent")
	boolean truncated(MailText content) {
		return ShownText.isCut(content.html(), content.text());
	}

	/** A tag that emails have. */
	record TagInput(String name, @Nullable String value) {
	}

}
