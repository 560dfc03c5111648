package dev.mailroom.api.email;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.outcome.Attempts;
import dev.mailroom.outcome.TranscriptLine;
import org.jspecify.annotations.Nullable;

/** What was tried for one recipient, as GET /emails/:id/attempts lists it. */
record AttemptItem(UUID id, String recipient, int attempt, Instant beganAt, long tookMs, String outcome,
		String transport, String host, String address, String tls, @Nullable String reply,
		List<TranscriptLine> conversation) {

	static AttemptItem of(Attempts.Made made) {
		return new AttemptItem(made.id(), made.recipient(), made.attempt(), made.beganAt(), made.tookMs(),
				made.outcome(), made.transport(), made.host(), made.address(), made.tls(), made.reply(),
				made.conversation());
	}

}
