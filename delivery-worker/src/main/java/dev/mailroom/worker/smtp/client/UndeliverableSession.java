package dev.mailroom.worker.smtp.client;

import java.time.Clock;

import dev.mailroom.mail.outcome.Outcome;
import reactor.core.publisher.Mono;

/**
 * Takes the place of a session if the domain accepts no mail according to DNS, so that
 * such mail passes the fence before it bounces.
 */
record UndeliverableSession(Undeliverable reason, Clock clock) implements Session {

	@Override
	public boolean isOpen() {
		return true;
	}

	@Override
	public Mono<HandOverResult> hand(Envelope envelope, byte[] message) {
		return Mono.fromSupplier(() -> {
			String reply = String.valueOf(this.reason.getMessage());
			Transcript transcript = new Transcript(this.clock);
			transcript.note(reply);
			return new HandOverResult(new Outcome.Bounced(true, reply), transcript.attempt(DirectMx.NAME));
		});
	}

}
