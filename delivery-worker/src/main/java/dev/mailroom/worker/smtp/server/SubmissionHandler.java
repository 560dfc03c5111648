package dev.mailroom.worker.smtp.server;

import java.util.Collection;
import java.util.List;
import java.util.Objects;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Authenticator;
import dev.mailroom.account.Caller;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpClient;
import dev.mailroom.worker.smtp.server.SmtpHandler.SmtpRefused;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/**
 * Sends messages submitted over SMTP (RFC 6409), with the rules and the errors of POST
 * /emails.
 */
@Component
class SubmissionHandler implements SmtpHandler {

	private static final String SEND = "send";

	/** Parts decoded, their base64 text, the request and its copies for PostgreSQL. */
	private static final int MEMORY_FACTOR = 6;

	private final Authenticator authenticator;

	private final ApiKeys keys;

	private final Submissions submissions;

	private final SendRate rate;

	private final MeterRegistry registry;

	SubmissionHandler(Authenticator authenticator, ApiKeys keys, Submissions submissions, SendRate rate,
			MeterRegistry registry) {
		this.authenticator = authenticator;
		this.keys = keys;
		this.submissions = submissions;
		this.rate = rate;
		this.registry = registry;
	}

	@Override
	public int memoryFactor() {
		return MEMORY_FACTOR;
	}

	@Override
	public boolean requiresAuth() {
		return true;
	}

	/**
	 * The password is the API key; the user name, which some clients require, is ignored.
	 */
	@Override
	public Mono<Scope> signIn(SmtpClient client, String user, String password) {
		return this.authenticator.authenticate(password)
			.filter((caller) -> caller.kind() == Caller.Kind.API_KEY)
			.switchIfEmpty(Mono.fromRunnable(() -> countFailure("invalid")))
			.doOnNext((caller) -> requireSend(caller.permissions()))
			.map(Caller::scope);
	}

	private void requireSend(Collection<String> permissions) {
		if (!permissions.contains(SEND)) {
			countFailure("not_permitted");
			throw new SmtpRefused(SubmissionReplies.MAY_NOT_SEND);
		}
	}

	private void countFailure(String reason) {
		this.registry.counter("mailroom.auth.failures", "kind", "api_key", "reason", reason).increment();
	}

	/** Checks the key again for each mail: it may be revoked during the session. */
	@Override
	public Mono<SmtpReply> sender(SmtpClient client, String sender) {
		Scope scope = scope(client);
		if (!this.rate.tryConsume(scope.account())) {
			this.registry.counter("mailroom.rate.limited", "kind", SEND).increment();
			return Mono.just(SubmissionReplies.TOO_MANY);
		}
		return this.keys.find(scope, Objects.requireNonNull(scope.apiKey()))
			.doOnNext((key) -> requireSend(key.permissions()))
			.map((_) -> OK)
			.onErrorResume(Refused.class, (_) -> {
				countFailure("invalid");
				return Mono.just(SubmissionReplies.REVOKED);
			});
	}

	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return Mono.just(EmailAddress.parse(recipient).isPresent() ? OK : SubmissionReplies.NO_ADDRESS);
	}

	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		Scope scope = scope(mail.client());
		// Parsing a large message takes too long for the event loop.
		return Mono.fromCallable(() -> SubmittedMessage.read(mail))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap(
					(message) -> this.submissions.send(Channel.SMTP, scope, message.submission(), message.claim(scope)))
			.map((result) -> SubmissionReplies.accepted(result.single()))
			.onErrorResume(Refused.class, (refused) -> {
				this.registry.counter("mailroom.errors", "name", refused.refusal().name()).increment();
				return Mono.just(SubmissionReplies.of(refused));
			});
	}

	private static Scope scope(SmtpClient client) {
		return Objects.requireNonNull(client.principal());
	}

}
