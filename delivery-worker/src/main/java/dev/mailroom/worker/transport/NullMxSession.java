package dev.mailroom.worker.transport;

import java.time.Clock;

import dev.mailroom.outcome.Outcome;
import reactor.core.publisher.Mono;

/**
 * What stands in for a session where DNS says that the domain takes no mail: so that such
 * mail too passes the fence before it bounces.
 */
record NullMxSession(String transport, Undeliverable reason, Clock clock) implements Session {

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
			return new HandOverResult(new Outcome.Bounced(true, reply), transcript.attempt(this.transport));
		});
	}

}
