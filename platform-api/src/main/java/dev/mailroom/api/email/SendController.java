package dev.mailroom.api.email;

import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.draft.UncheckedMail;
import dev.mailroom.mail.mime.SubmittedMessage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.ResponseEntity;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Sends single mails, as JSON or as messages in the format of mail, and batches of up to
 * a hundred, each of which is accepted or refused independently.
 */
@RestController
class SendController {

	private static final String MESSAGES = "/emails/mime";

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

	/** A key in the message is that of the request, if that has none itself. */
	@PostMapping(path = MESSAGES, consumes = "message/rfc822")
	Mono<ResponseEntity<Object>> send(Scope scope, @Nullable IdempotencyKey key,
			@RequestParam MultiValueMap<String, String> query,
			@RequestBody(required = false) byte @Nullable [] message) {
		byte[] content = (message != null) ? message : new byte[0];
		@Nullable String requested = (key != null) ? key.key() : null;
		// Parsing a large message takes too long for the event loop.
		return Mono
			.fromCallable(() -> SubmittedMessage.read(query.getOrDefault("to", List.of()), content,
					query.getFirst("send_at")))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((mail) -> this.submissions.send(Channel.API, scope, mail.submission(),
					mail.claim(scope, "POST " + MESSAGES, requested)))
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
