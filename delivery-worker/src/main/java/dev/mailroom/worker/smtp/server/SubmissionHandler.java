package dev.mailroom.worker.smtp.server;

import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

import dev.mailroom.ClientNetwork;
import dev.mailroom.EmailAddress;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.ApiKeys;
import dev.mailroom.account.Authenticator;
import dev.mailroom.account.Caller;
import dev.mailroom.account.Permission;
import dev.mailroom.mail.accept.MailAccepted.Channel;
import dev.mailroom.mail.accept.SendResult;
import dev.mailroom.mail.accept.Submissions;
import dev.mailroom.mail.mime.SubmittedMessage;
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

	/** Parts decoded, their base64 text, the request and its copies for PostgreSQL. */
	private static final int MEMORY_FACTOR = 6;

	private static final SmtpReply MAY_NOT_SEND = new SmtpReply(535, "5.7.8",
			"Forbidden: this API key lacks the permission send");

	private static final SmtpReply REVOKED = new SmtpReply(535, "5.7.8",
			"Unauthorized: this API key is no longer valid");

	private static final SmtpReply TOO_MANY = new SmtpReply(450, "4.7.1",
			"Rate limit exceeded: this account submits too many mails, try again in a second");

	private static final SmtpReply NO_ADDRESS = new SmtpReply(553, "5.1.3", "Validation error: this is no address");

	private final Authenticator authenticator;

	private final ApiKeys keys;

	private final Submissions submissions;

	private final SendRate rate;

	private final MeterRegistry registry;

	private final Clock clock;

	SubmissionHandler(Authenticator authenticator, ApiKeys keys, Submissions submissions, SendRate rate,
			MeterRegistry registry, Clock clock) {
		this.authenticator = authenticator;
		this.keys = keys;
		this.submissions = submissions;
		this.rate = rate;
		this.registry = registry;
		this.clock = clock;
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
	 * Another password is not passed on, because a token may name an issuer whose keys
	 * would be read.
	 */
	@Override
	public Mono<Scope> signIn(SmtpClient client, String user, String password) {
		return Mono.just(password)
			.filter((key) -> key.startsWith(ApiKeys.PREFIX))
			.flatMap((key) -> this.authenticator.authenticate(key))
			.onErrorMap(SubmissionHandler::isMisdirected, (error) -> new SmtpRefused(refusal((Refused) error)))
			.filter((caller) -> caller.kind() == Caller.Kind.API_KEY)
			.switchIfEmpty(Mono.fromRunnable(() -> countFailure("invalid")))
			.doOnNext((caller) -> requireSend(caller.permissions()))
			.map(Caller::scope)
			.contextWrite(ClientNetwork.context(client.address().getAddress(), false));
	}

	private static boolean isMisdirected(Throwable error) {
		return error instanceof Refused refused && refused.refusal().kind() == Refusal.Kind.MISDIRECTED;
	}

	private void requireSend(Collection<String> permissions) {
		if (!Permission.maySubmit(permissions)) {
			countFailure("not_permitted");
			throw new SmtpRefused(MAY_NOT_SEND);
		}
	}

	private void countFailure(String reason) {
		this.registry.counter("mailroom.auth.failures", "kind", "api_key", "reason", reason).increment();
	}

	/**
	 * Checks the key again for each mail: during the session it may be revoked, expire or
	 * be narrowed.
	 */
	@Override
	public Mono<SmtpReply> sender(SmtpClient client, String sender) {
		Scope scope = scope(client);
		if (!this.rate.tryConsume(scope.account())) {
			this.registry.counter("mailroom.rate.limited", "kind", "send").increment();
			return Mono.just(TOO_MANY);
		}
		return this.keys.find(scope, Objects.requireNonNull(scope.apiKey()))
			.doOnNext((key) -> requireSend(key.permissions()))
			.filter((key) -> !key.isExpired(this.clock.instant()) && key.scope().equals(scope))
			.map((_) -> OK)
			.onErrorResume(Refused.class, (_) -> Mono.empty())
			.switchIfEmpty(Mono.fromSupplier(() -> {
				countFailure("invalid");
				return REVOKED;
			}));
	}

	@Override
	public Mono<SmtpReply> recipient(SmtpClient client, String sender, List<String> earlier, String recipient) {
		return Mono.just(EmailAddress.parse(recipient).isPresent() ? OK : NO_ADDRESS);
	}

	@Override
	public Mono<SmtpReply> mail(SmtpMail mail) {
		Scope scope = scope(mail.client());
		// Parsing a large message takes too long for the event loop.
		return Mono.fromCallable(() -> SubmittedMessage.read(mail.rcptTo(), mail.content(), null))
			.subscribeOn(Schedulers.boundedElastic())
			.flatMap((message) -> this.submissions.send(Channel.SMTP, scope, message.submission(),
					message.claim(scope, "SMTP", null)))
			.map((result) -> accepted(result.single()))
			.onErrorResume(Refused.class, (refused) -> {
				this.registry.counter("mailroom.errors", "name", refused.refusal().name()).increment();
				return Mono.just(refusal(refused));
			});
	}

	private static Scope scope(SmtpClient client) {
		return Objects.requireNonNull(client.principal());
	}

	private static SmtpReply accepted(SendResult.Accepted mail) {
		return new SmtpReply(250, "2.6.0", "Accepted as " + mail.id());
	}

	/**
	 * The text of a refusal begins with the contract's error name. A refusal that a later
	 * attempt may avoid is temporary (4yz).
	 */
	private static SmtpReply refusal(Refused refused) {
		String text = refused.refusal().error() + ": " + refused.message();
		return switch (refused.refusal().kind()) {
			case FORBIDDEN, NOT_FOUND -> new SmtpReply(550, "5.7.1", text);
			case UNAUTHENTICATED, MISDIRECTED -> new SmtpReply(535, "5.7.8", text);
			case LIMITED -> new SmtpReply(452, "4.7.1", text);
			case TOO_LARGE -> new SmtpReply(552, "5.3.4", text);
			// A conflict with a running request is over at the next attempt.
			case CONFLICT ->
				refused.retryAfter() != null ? new SmtpReply(451, "4.3.0", text) : new SmtpReply(554, "5.6.0", text);
			case UNAVAILABLE, FAULT -> new SmtpReply(451, "4.3.0", text);
			case INVALID, METHOD_NOT_ALLOWED, UNSUPPORTED -> new SmtpReply(554, "5.6.0", text);
		};
	}

}
