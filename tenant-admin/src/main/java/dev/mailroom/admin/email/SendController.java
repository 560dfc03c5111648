package dev.mailroom.admin.email;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.accept.MailContent;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.email.Schedule;
import dev.mailroom.submission.Submission;
import dev.mailroom.submission.TestSends;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;

/** Sending of single emails, and changes of those that wait for their time. */
@Controller
class SendController {

	private final TestSends sends;

	private final Schedule schedule;

	private final SentMails sent;

	SendController(TestSends sends, Schedule schedule, SentMails sent) {
		this.sends = sends;
		this.schedule = schedule;
		this.sent = sent;
	}

	@MutationMapping
	Mono<Map<String, Object>> sendEmail(Scope scope, @Argument SendEmailInput input) {
		return this.sent.payload(scope, Mono.defer(() -> this.sends.send(scope, input.submission(), null)));
	}

	@MutationMapping
	Mono<Map<String, Object>> cancelEmail(Scope scope, @Argument UUID id) {
		return Payload.of("email", this.schedule.cancel(scope, id));
	}

	@MutationMapping
	Mono<Map<String, Object>> rescheduleEmail(Scope scope, @Argument RescheduleEmailInput input) {
		return Payload.of("email", this.schedule.move(scope, input.id(), input.sendAt().toString()));
	}

	/** An email to send. */
	record SendEmailInput(@Nullable String from, List<@Nullable String> to, @Nullable List<@Nullable String> cc,
			@Nullable List<@Nullable String> bcc, @Nullable List<@Nullable String> replyTo, @Nullable String subject,
			@Nullable String html, @Nullable String text, @Nullable UUID templateId,
			@Nullable Map<String, @Nullable Object> variables, @Nullable Instant sendAt) {

		Submission submission() {
			Submission.@Nullable TemplateReference template = (this.templateId != null)
					? new Submission.TemplateReference(this.templateId.toString(), this.variables) : null;
			return new Submission(this.from, this.to, list(this.cc), list(this.bcc), list(this.replyTo),
					MailContent.of(this.subject, this.html, this.text), template,
					(this.sendAt != null) ? this.sendAt.toString() : null, null);
		}

		private static List<@Nullable String> list(@Nullable List<@Nullable String> list) {
			return (list != null) ? list : List.of();
		}

	}

	/** A new time of an email. */
	record RescheduleEmailInput(UUID id, Instant sendAt) {
	}

}
