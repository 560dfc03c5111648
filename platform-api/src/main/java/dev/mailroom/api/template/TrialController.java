package dev.mailroom.api.template;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.api.http.Success;
import dev.mailroom.api.idempotency.Keyed;
import dev.mailroom.api.idempotency.Once;
import dev.mailroom.email.Candidate;
import dev.mailroom.email.Drafting;
import dev.mailroom.email.Emails;
import dev.mailroom.email.Reception;
import dev.mailroom.email.Request;
import dev.mailroom.email.Senders;
import dev.mailroom.email.Verdict;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.template.Content;
import dev.mailroom.template.Template;
import dev.mailroom.template.Templates;
import dev.mailroom.template.Variables;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Shows what becomes of a template, on the spot or as a mail. */
@RestController
class TrialController {

	private static final Refusal INVALID = Refusal.invalid("Invalid request data");

	private final Templates templates;

	private final Senders senders;

	private final Emails emails;

	private final Once once;

	private final JsonMapper json;

	private final Clock clock;

	TrialController(Templates templates, Senders senders, Emails emails, Once once, JsonMapper json, Clock clock) {
		this.templates = templates;
		this.senders = senders;
		this.emails = emails;
		this.once = once;
		this.json = json;
		this.clock = clock;
	}

	@PostMapping("/templates/{id}/render")
	Mono<ResponseEntity<Object>> render(Scope scope, @PathVariable UUID id, @Nullable Keyed keyed,
			@RequestBody(required = false) @Nullable RenderTemplate body) {
		Map<String, @Nullable Object> variables = (body != null) ? body.variables() : null;
		return this.once.answer(scope, keyed, HttpStatus.OK,
				this.templates.find(scope, id).map((template) -> Success.data(rendered(template, variables))));
	}

	@PostMapping("/templates/{id}/test")
	Mono<ResponseEntity<Object>> test(Scope scope, @PathVariable UUID id, @Nullable Keyed keyed,
			@RequestBody TryTemplate body) {
		return this.templates.find(scope, id)
			.map((template) -> rendered(template, body.variables()))
			.flatMap((rendered) -> this.senders.choose(scope, body.from())
				.flatMap((sender) -> send(sender, keyed, candidate(body, sender, rendered))));
	}

	private Mono<ResponseEntity<Object>> send(Senders.Sender sender, @Nullable Keyed keyed, Candidate mail) {
		Request request = new Request(sender.scope(), List.of(mail), false,
				(keyed != null) ? keyed.claim(sender.scope()) : null,
				(verdicts) -> new Answer(200, this.json.writeValueAsString(sent(verdicts))));
		return this.emails.accept(request).map((reception) -> switch (reception) {
			case Reception.Done(var verdicts) -> ResponseEntity.ok((Object) sent(verdicts));
			case Reception.Replayed(var answer) -> Once.replayed(answer);
		});
	}

	/** Here it is the template's route that refuses, not the mail's. */
	private Candidate candidate(TryTemplate body, Senders.Sender sender, Content.Rendered rendered) {
		try {
			return new Candidate.Fit(Drafting.draft(body.submission(sender.from(), rendered), this.clock.instant()));
		}
		catch (Refused refused) {
			return new Candidate.Unfit(INVALID.because(refused.message(), refused.details()));
		}
	}

	private static Content.Rendered rendered(Template template, @Nullable Map<String, @Nullable Object> variables) {
		return template.content().render(Variables.read(variables));
	}

	private static Success sent(List<Verdict> verdicts) {
		return switch (verdicts.getFirst()) {
			case Verdict.Taken(var id, var from, var to, var createdAt) ->
				Success.of("email", new Sent(id, from, to, createdAt));
			case Verdict.Turned(var refused) -> throw refused;
		};
	}

	/** The mail that went out. */
	record Sent(UUID id, String from, List<String> to, Instant createdAt) {
	}

}
