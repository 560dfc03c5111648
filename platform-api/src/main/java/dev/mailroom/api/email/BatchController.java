package dev.mailroom.api.email;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.accept.SendRequest;
import dev.mailroom.api.http.BadField;
import dev.mailroom.api.idempotency.IdempotencyKey;
import dev.mailroom.email.Emails;
import dev.mailroom.idempotency.Answer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Sends up to a hundred mails, each standing for itself. */
@RestController
class BatchController {

	private static final Refusal INVALID = Refusal.invalid("Validation error");

	private static final int MOST = 100;

	private final Emails emails;

	private final JsonMapper json;

	private final MailDrafts candidates;

	BatchController(Emails emails, JsonMapper json, MailDrafts candidates) {
		this.emails = emails;
		this.json = json;
		this.candidates = candidates;
	}

	@PostMapping("/emails/batch")
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable IdempotencyKey keyed, @RequestBody JsonNode body) {
		if (!body.isArray() || body.isEmpty() || body.size() > MOST) {
			return Mono.error(INVALID.because("The body must be an array of 1 to " + MOST + " emails"));
		}
		return this.candidates.of(scope, body.valueStream().map(this::asked).toList()).flatMap((mails) -> {
			SendRequest request = new SendRequest(scope, mails, true, (keyed != null) ? keyed.claim(scope) : null,
					(verdicts) -> new Answer(200, this.json.writeValueAsString(BatchAnswer.of(verdicts))));
			return this.emails.accept(request).map((reception) -> SendResponses.answer(reception, BatchAnswer::of));
		});
	}

	private ParsedMail asked(JsonNode mail) {
		if (!mail.isObject()) {
			return new ParsedMail.Unreadable(INVALID.because("Each element of the array must be an email object"));
		}
		try {
			return ParsedMail.of(this.json.treeToValue(mail, SendEmail.class));
		}
		catch (JacksonException ex) {
			String field = BadField.of(ex);
			return new ParsedMail.Unreadable(INVALID.because(field + " has the wrong type",
					List.of(new Refusal.Detail(field, "has the wrong type"))));
		}
	}

}
