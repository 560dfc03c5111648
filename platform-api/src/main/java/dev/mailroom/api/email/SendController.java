package dev.mailroom.api.email;

import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.UncheckedMail;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
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
		return Mono.defer(() -> {
			List<UncheckedMail> mails = SendEmail.elements(body)
				.stream()
				.map((mail) -> SendEmail.read(mail, this.json))
				.toList();
			return this.submissions.sendBatch(scope, mails, IdempotencyKey.claim(scope, key), false);
		}).map(SendResponses::batch);
	}

}
