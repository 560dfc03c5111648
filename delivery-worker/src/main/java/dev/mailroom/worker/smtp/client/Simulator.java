package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.time.Duration;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.mail.outcome.Bounce;
import dev.mailroom.mail.outcome.Outcome;
import dev.mailroom.mail.outcome.Sandbox;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Session.Envelope;
import dev.mailroom.worker.smtp.client.Session.HandOverResult;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Transport of the sandbox: simulates the recipients' server. No mail leaves the process;
 * the recipient's local part determines the outcome.
 */
@Component
class Simulator implements Transport, Session {

	private static final String NAME = "simulator";

	private static final String ACCEPTED = "250 2.0.0 Accepted by the simulator";

	private static final String DEFERRED = "451 4.7.1 Try again later";

	private static final String NO_SUCH_USER = "550 5.1.1 No such user";

	private static final String UNKNOWN = "550 5.1.1 The simulator has no such address";

	private final Sandbox sandbox;

	private final Clock clock;

	/** Return paths of the mails that this worker has deferred; each is deferred once. */
	private final Cache<String, Boolean> deferred = Caffeine.newBuilder()
		.maximumSize(10_000)
		.expireAfterWrite(Duration.ofDays(1))
		.build();

	Simulator(Sandbox sandbox, Clock clock) {
		this.sandbox = sandbox;
		this.clock = clock;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean claims(Route route) {
		return route.domain().equals(this.sandbox.host());
	}

	@Override
	public String destination(Route route) {
		return NAME;
	}

	@Override
	public boolean isOneForAll() {
		return true;
	}

	@Override
	public <T> Mono<T> with(Route route, Function<Session, Mono<T>> work) {
		return Mono.defer(() -> work.apply(this));
	}

	@Override
	public boolean isOpen() {
		return true;
	}

	@Override
	public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
		return Mono.fromSupplier(() -> {
			Transcript transcript = new Transcript(this.clock);
			transcript.at(this.sandbox.host(), "");
			transcript.sent("MAIL FROM:<" + envelope.mailFrom() + ">");
			transcript.sent("RCPT TO:<" + envelope.recipient() + ">");
			Outcome outcome = outcome(envelope, transcript);
			return new HandOverResult(outcome, transcript.attempt(NAME));
		});
	}

	private Outcome outcome(Envelope envelope, Transcript transcript) {
		return switch (Sandbox.localPart(envelope.recipient())) {
			case "delivered", "complained", "opened", "clicked" -> delivered(transcript);
			case "deferred" -> (this.deferred.asMap().putIfAbsent(envelope.mailFrom(), true) == null)
					? deferred(transcript) : delivered(transcript);
			case "suppressed" -> new Outcome.Suppressed();
			case "bounced" -> bounced(transcript, NO_SUCH_USER);
			default -> bounced(transcript, UNKNOWN);
		};
	}

	private static Outcome delivered(Transcript transcript) {
		transcript.received(ACCEPTED);
		return new Outcome.Delivered(ACCEPTED);
	}

	private static Outcome deferred(Transcript transcript) {
		transcript.received(DEFERRED);
		return new Outcome.Deferred(DEFERRED);
	}

	private static Outcome bounced(Transcript transcript, String reply) {
		transcript.received(reply);
		return Bounce.of(reply, Bounce.Command.RCPT).outcome(Bounce.Command.RCPT);
	}

}
