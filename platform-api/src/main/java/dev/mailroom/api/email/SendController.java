package dev.mailroom.api.email;

import java.util.List;

import dev.mailroom.Refusal;
import dev.mailroom.Scope;
import dev.mailroom.api.http.BadField;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.UncheckedMail;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sends single mails, and batches of up to a hundred, each of which is accepted or
 * refused independently.
 */
@RestController
class SendController {

	private static final Refusal INVALID = Refusal.invalid("Validation error");

	private static final int MAX_MAILS = 100;

	private final Submissions submissions;

	private final JsonMapper json;

	SendController(Submissions submissions, JsonMapper json) {
		this.submissions = submissions;
		this.json = json;
	}

	@PostMapping("/emails")
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable IdempotencyKey key, @RequestBody SendEmail body) {
		return this.submissions.send(Channel.API, scope, body.received(), IdempotencyKey.claim(scope, key))
			.map(SendResponses::single);
	}

	@PostMapping("/emails/batch")
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable IdempotencyKey key, @RequestBody JsonNode body) {
		if (!body.isArray() || body.isEmpty() || body.size() > MAX_MAILS) {
			return Mono.error(INVALID.because("The body must be an array of 1 to " + MAX_MAILS + " emails"));
		}
		List<UncheckedMail> mails = body.valueStream().map(this::read).toList();
		return this.submissions.sendBatch(scope, mails, IdempotencyKey.claim(scope, key)).map(SendResponses::batch);
	}

	private UncheckedMail read(JsonNode mail) {
		if (!mail.isObject()) {
			return new UncheckedMail.Unreadable(INVALID.because("Each element of the array must be an email object"));
		}
		try {
			return this.json.treeToValue(mail, SendEmail.class).received();
		}
		catch (JacksonException ex) {
			String field = BadField.of(ex);
			return new UncheckedMail.Unreadable(INVALID.field(field, "has the wrong type"));
		}
	}

}
