package dev.mailroom.mail.accept;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.mail.draft.MailRules;
import dev.mailroom.mail.draft.EmailRefusals;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.draft.SandboxHost;
import dev.mailroom.mail.draft.Submission;
import dev.mailroom.mail.draft.Submission.TemplateReference;
import dev.mailroom.mail.draft.UncheckedMail;
import dev.mailroom.template.Content;
import dev.mailroom.template.Contents;
import dev.mailroom.template.Templates;
import dev.mailroom.template.Variables;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Fills in the templates of a request's mails and checks the mails. All templates are
 * read by one query; a request without templates needs no query.
 */
@Component
class MailChecks {

	private static final Refusal TOO_LARGE = new Refusal(Refusal.Kind.TOO_LARGE, "Payload too large");

	/**
	 * Characters of the bodies of all mails of a request: a short request can use a long
	 * template often.
	 */
	private static final long MAX_BODY_LENGTH = 25L * 1024 * 1024;

	private final Templates templates;

	private final SandboxHost sandbox;

	private final Clock clock;

	MailChecks(Templates templates, SandboxHost sandbox, Clock clock) {
		this.templates = templates;
		this.sandbox = sandbox;
		this.clock = clock;
	}

	/**
	 * The checked mails, in the request's order.
	 * @throws Refused {@code Payload too large}
	 */
	Mono<List<MailCheck>> of(Scope scope, List<UncheckedMail> mails) {
		Set<UUID> ids = mails.stream().flatMap(MailChecks::templateIds).collect(Collectors.toSet());
		return this.templates.contents(scope, ids).map((contents) -> check(scope, mails, contents));
	}

	private List<MailCheck> check(Scope scope, List<UncheckedMail> mails, Contents templates) {
		Instant now = this.clock.instant();
		List<MailCheck> checked = new ArrayList<>();
		long length = 0;
		for (UncheckedMail mail : mails) {
			MailCheck result = permitted(scope, check(mail, templates, now));
			length += bodyLength(result);
			if (length > MAX_BODY_LENGTH) {
				throw TOO_LARGE.because("The mails of a request may have 25 MB together, also when their templates "
						+ "are filled in: send fewer at a time");
			}
			checked.add(result);
		}
		return checked;
	}

	/** Refuses a mail to others than the sandbox, if the request may send to it only. */
	private MailCheck permitted(Scope scope, MailCheck mail) {
		if (!scope.sandbox() || !(mail instanceof MailCheck.Valid(var checked, var _))) {
			return mail;
		}
		return checked.recipients()
			.stream()
			.filter((recipient) -> !this.sandbox.contains(recipient))
			.findFirst()
			.<MailCheck>map((other) -> new MailCheck.Invalid(
					EmailRefusals.FORBIDDEN.because("This API key may send to addresses of " + this.sandbox.name()
							+ " only, and " + other + " is another: use a key with the permission emails.send")))
			.orElse(mail);
	}

	private static MailCheck check(UncheckedMail mail, Contents templates, Instant now) {
		try {
			return switch (mail) {
				case Submission submission -> new MailCheck.Valid(MailRules.check(fillIn(submission, templates), now));
				case UncheckedMail.Unreadable(var reason) -> new MailCheck.Invalid(reason);
			};
		}
		catch (Refused refused) {
			return new MailCheck.Invalid(refused);
		}
	}

	private static Submission fillIn(Submission mail, Contents templates) {
		@Nullable TemplateReference template = mail.template();
		return (template != null) ? mail.withContent(fillIn(mail.content(), template, templates)) : mail;
	}

	private static MailContent fillIn(MailContent content, TemplateReference template, Contents templates) {
		if (content.html() != null || content.text() != null) {
			throw refused("replaces html and text: send either a template or bodies");
		}
		UUID id = template.uuid().orElseThrow(() -> refused("must be the id of one of your templates"));
		Content stored = templates.of(id);
		try {
			Content.Rendered rendered = stored.render(Variables.read(template.variables()));
			return content.withBody(content.subject().isEmpty() ? rendered.subject() : content.subject(),
					rendered.html(), rendered.text());
		}
		catch (Refused refused) {
			throw EmailRefusals.INVALID.because(refused.message(), refused.details());
		}
	}

	private static Refused refused(String message) {
		return EmailRefusals.INVALID.because("template_id: " + message,
				List.of(new Refusal.Detail("template_id", message)));
	}

	private static Stream<UUID> templateIds(UncheckedMail mail) {
		return switch (mail) {
			case Submission submission ->
				Stream.ofNullable(submission.template()).flatMap((template) -> template.uuid().stream());
			case UncheckedMail.Unreadable _ -> Stream.empty();
		};
	}

	private static long bodyLength(MailCheck mail) {
		return switch (mail) {
			case MailCheck.Valid(var checked, var _) -> checked.content().bodyLength();
			case MailCheck.Invalid _ -> 0;
		};
	}

}
