package dev.mailroom.api.email;

import java.time.Clock;
import java.time.Instant;
import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.api.http.BadField;
import dev.mailroom.api.idempotency.Keyed;
import dev.mailroom.email.Candidate;
import dev.mailroom.email.Drafting;
import dev.mailroom.email.Emails;
import dev.mailroom.email.Request;
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

	private final Clock clock;

	BatchController(Emails emails, JsonMapper json, Clock clock) {
		this.emails = emails;
		this.json = json;
		this.clock = clock;
	}

	@PostMapping("/emails/batch")
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable Keyed keyed, @RequestBody JsonNode body) {
		if (!body.isArray() || body.isEmpty() || body.size() > MOST) {
			return Mono.error(INVALID.because("The body must be an array of 1 to " + MOST + " emails"));
		}
		Instant now = this.clock.instant();
		List<Candidate> mails = body.valueStream().map((mail) -> candidate(mail, now)).toList();
		Request request = new Request(scope, mails, true, (keyed != null) ? keyed.claim(scope) : null,
				(verdicts) -> new Answer(200, this.json.writeValueAsString(BatchAnswer.of(verdicts))));
		return this.emails.accept(request).map((reception) -> Receptions.answer(reception, BatchAnswer::of));
	}

	private Candidate candidate(JsonNode mail, Instant now) {
		try {
			if (!mail.isObject()) {
				return new Candidate.Unfit(INVALID.because("Each element of the array must be an email object"));
			}
			SendEmail body = this.json.treeToValue(mail, SendEmail.class);
			return new Candidate.Fit(Drafting.draft(body.submission(), now));
		}
		catch (JacksonException ex) {
			String field = BadField.of(ex);
			return new Candidate.Unfit(INVALID.because(field + " has the wrong type",
					List.of(new Refusal.Detail(field, "has the wrong type"))));
		}
		catch (Refused refused) {
			return new Candidate.Unfit(refused);
		}
	}

}
