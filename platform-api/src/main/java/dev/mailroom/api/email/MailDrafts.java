package dev.mailroom.api.email;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.accept.CheckedMail;
import dev.mailroom.accept.Draft;
import dev.mailroom.template.Contents;
import dev.mailroom.template.Templates;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Makes mails of a request's bodies, with the templates that they name. Those are looked
 * up at once and before anything waits for a commit; without any, nothing is looked up.
 */
@Component
class MailDrafts {

	private static final Refusal TOO_LARGE = new Refusal(Refusal.Kind.TOO_LARGE, "Payload too large");

	/**
	 * Characters of the mails of one request together: templates make little say much.
	 */
	private static final long MOST = 25L * 1024 * 1024;

	private final Templates templates;

	private final Clock clock;

	MailDrafts(Templates templates, Clock clock) {
		this.templates = templates;
		this.clock = clock;
	}

	/** The mails, in the order in which they were asked for. */
	Mono<List<CheckedMail>> of(Scope scope, List<ParsedMail> mails) {
		Set<UUID> named = mails.stream().flatMap(MailDrafts::template).collect(Collectors.toSet());
		return this.templates.contents(scope, named).map((contents) -> drafted(mails, contents));
	}

	private List<CheckedMail> drafted(List<ParsedMail> mails, Contents contents) {
		Instant now = this.clock.instant();
		List<CheckedMail> candidates = new ArrayList<>();
		long length = 0;
		for (ParsedMail mail : mails) {
			CheckedMail candidate = mail.candidate(contents, now);
			length += (candidate instanceof CheckedMail.Fit(var draft, var _)) ? length(draft) : 0;
			if (length > MOST) {
				throw TOO_LARGE.because("The mails of a request may have 25 MB together, also when their templates "
						+ "are filled in: send fewer at a time");
			}
			candidates.add(candidate);
		}
		return candidates;
	}

	private static Stream<UUID> template(ParsedMail mail) {
		return (mail instanceof ParsedMail.Readable readable) ? Stream.ofNullable(readable.template()) : Stream.empty();
	}

	private static long length(Draft draft) {
		return length(draft.html()) + length(draft.text());
	}

	private static long length(@Nullable String text) {
		return (text != null) ? text.length() : 0;
	}

}
