package dev.mailroom.admin.email;

import java.util.Map;

import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.mail.accept.SendResult;
import dev.mailroom.mail.log.Email;
import dev.mailroom.mail.log.Emails;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/** Lists of emails, and the result of sending one. */
@Component
public class SentMails {

	private final Emails emails;

	SentMails(Emails emails) {
		this.emails = emails;
	}

	/** The position of an email in lists. */
	public static Page.Cursor cursor(Email email) {
		return new Page.Cursor(email.createdAt(), email.id());
	}

	/** The payload of a mutation that sends an email. */
	public Mono<Map<String, Object>> payload(Scope scope, Mono<SendResult> sent) {
		return Payload.of("email", sent.flatMap((result) -> find(scope, result)));
	}

	/** The only email of a result. */
	Mono<Email> find(Scope scope, SendResult result) {
		return Mono.defer(() -> this.emails.requireVisible(scope, result.single().id()));
	}

}
