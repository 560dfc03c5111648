package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.mail.outcome.Attempts;
import org.jspecify.annotations.Nullable;

/** A delivery attempt, as GET /emails/:id/attempts lists it. */
record AttemptItem(UUID id, String recipient, int attempt, Instant beganAt, long tookMs, String outcome,
		String transport, String host, String address, @Nullable String source, String tls, @Nullable String tlsPolicy,
		@Nullable String tlsResult, @Nullable String reply, List<Attempts.TranscriptLine> conversation) {

	static AttemptItem of(Attempts.Made attempt) {
		return new AttemptItem(attempt.id(), attempt.recipient(), attempt.attempt(), attempt.beganAt(),
				attempt.tookMs(), attempt.outcome(), attempt.transport(), attempt.host(), attempt.address(),
				attempt.source(), attempt.tls(), attempt.tlsPolicy(), attempt.tlsResult(), attempt.reply(),
				attempt.conversation());
	}

}
