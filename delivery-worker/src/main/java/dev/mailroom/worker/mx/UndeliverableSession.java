package dev.mailroom.worker.mx;

import java.time.Clock;

import dev.mailroom.outcome.Outcome;
import dev.mailroom.worker.transport.Envelope;
import dev.mailroom.worker.transport.HandOverResult;
import dev.mailroom.worker.transport.Session;
import dev.mailroom.worker.transport.Transcript;
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
