package dev.mailroom.worker.transport;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mailroom.outcome.Outcome;
import dev.mailroom.outcome.Sandbox;
import dev.mailroom.queue.Route;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Answers in the place of the sandbox's recipients: nothing leaves the process. Each
 * address is answered by its name.
 */
@Component
class Simulator implements Transport, Session {

	private static final String NAME = "simulator";

	private final Sandbox sandbox;

	private final Clock clock;

	/** Return paths of mails that were put off: each once by each worker. */
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

	/** It is chosen by the recipient's address alone. */
	@Override
	public boolean isChoice() {
		return false;
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
			transcript.note("C: MAIL FROM:<" + envelope.mailFrom() + ">");
			transcript.note("C: RCPT TO:<" + envelope.recipient() + ">");
			Outcome outcome = answer(envelope, transcript);
			return new HandOverResult(outcome, transcript.attempt(NAME));
		});
	}

	private Outcome answer(Envelope envelope, Transcript transcript) {
		return switch (Sandbox.localPart(envelope.recipient())) {
			case "delivered", "complained", "opened", "clicked" -> taken(transcript);
			case "deferred" -> (this.deferred.asMap().putIfAbsent(envelope.mailFrom(), true) == null)
					? refused(transcript, 451, "4.7.1 Try again later") : taken(transcript);
			case "suppressed" -> new Outcome.Suppressed();
			case "bounced" -> refused(transcript, 550, "5.1.1 No such user");
			default -> refused(transcript, 550, "5.1.1 The simulator has no such address");
		};
	}

	private static Outcome taken(Transcript transcript) {
		Reply reply = new Reply(250, List.of("2.0.0 Taken by the simulator"));
		transcript.heard(reply);
		return new Outcome.Delivered(reply.text());
	}

	private static Outcome refused(Transcript transcript, int code, String words) {
		Reply reply = new Reply(code, List.of(words));
		transcript.heard(reply);
		return reply.refusal(Reply.Step.RCPT);
	}

}
