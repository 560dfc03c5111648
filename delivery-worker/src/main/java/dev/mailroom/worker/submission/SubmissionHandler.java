package dev.mailroom.worker.submission;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import dev.mailroom.EmailAddress;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.accept.CheckedMail;
import dev.mailroom.accept.MailResult;
import dev.mailroom.accept.SendRequest;
import dev.mailroom.apikey.ApiKeys;
import dev.mailroom.authentication.Authenticator;
import dev.mailroom.authentication.Caller;
import dev.mailroom.email.Emails;
import dev.mailroom.idempotency.Answer;
import dev.mailroom.submission.Drafting;
import dev.mailroom.worker.smtpd.SmtpClient;
import dev.mailroom.worker.smtpd.SmtpHandler;
import dev.mailroom.worker.smtpd.SmtpMail;
import dev.mailroom.worker.smtpd.SmtpRefused;
import dev.mailroom.worker.smtpd.SmtpReply;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.stereotype.Component;

/** Sends what comes in over SMTP by the rules, and with the errors, of POST /emails. */
@Component
class SubmissionHandler implements SmtpHandler {

	private static final String SEND = "send";

	private final Authenticator authenticator;

	private final ApiKeys keys;

	private final Emails emails;

	private final SendRate rate;

	private final Clock clock;

	SubmissionHandler(Authenticator authenticator, ApiKeys keys, Emails emails, SendRate rate, Clock clock) {
		this.authenticator = authenticator;
		this.keys = keys;
		this.emails = emails;
		this.rate = rate;
		this.clock = clock;
	}

	@Override
	public boolean wantsSignIn() {
		return true;
	}

	/** Any user may stand beside the key: some clients insist on one. */
	@Override
	public Mono<Scope> signIn(SmtpClient client, String user, String password) {
		return this.authenticator.authenticate(password)
			.filter((caller) -> caller.kind() == Caller.Kind.API_KEY)
			.doOnNext((caller) -> requireSend(caller.permissions()))
			.map(Caller::scope);
	}

	private static void requireSend(Collection<String> permissions) {
		if (!permissions.contains(SEND)) {
			throw new SmtpRefused(SubmissionReplies.MAY_NOT_SEND);
		}
	}

	/** A session may outlive its key: a revoked one sends nothing more. */
	@Override
	public Mono<SmtpReply> sender(SmtpClient client, String sender) {
		Scope scope = scope(client);
		if (!this.rate.allows(scope.account())) {
			return Mono.just(SubmissionReplies.TOO_MANY);
		}
		return this.keys.find(scope, Objects.requireNonNull(scope.apiKey()))
			.doOnNext((key) -> requireSend(key.permissions()))
			.map((_) -> OK)
			.onErrorResume(Refused.class, (_) -> Mono.just(SubmissionReplies.REVOKED));
	}

	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return Mono.just(EmailAddress.parse(recipient).isPresent() ? OK : SubmissionReplies.NO_ADDRESS);
	}

	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		Scope scope = scope(mail.client());
		// A large mail takes its time to be read, and others wait for the event loop.
		return Mono.fromCallable(() -> request(scope, SubmittedMessage.read(mail)))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap(this.emails::accept)
			.map(SubmissionReplies::of)
			.onErrorResume(Refused.class, (refused) -> Mono.just(SubmissionReplies.of(refused)));
	}

	private SendRequest request(Scope scope, SubmittedMessage letter) {
		CheckedMail candidate = new CheckedMail.Fit(Drafting.draft(letter.submission(), this.clock.instant()));
		return new SendRequest(scope, List.of(candidate), false, letter.claim(scope), SubmissionHandler::kept);
	}

	private static Answer kept(List<MailResult> verdicts) {
		return switch (verdicts.getFirst()) {
			case MailResult.Taken taken -> new Answer(200, "\"" + taken.id() + "\"");
			case MailResult.Turned(var refused) -> throw refused;
		};
	}

	private static Scope scope(SmtpClient client) {
		return Objects.requireNonNull(client.principal());
	}

}
