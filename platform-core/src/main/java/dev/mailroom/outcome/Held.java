package dev.mailroom.outcome;

import java.util.UUID;

import org.jspecify.annotations.Nullable;

/** A row behind the fence, or barred from it. */
record Held(UUID id, int epoch, UUID accountId, UUID emailId, String recipient, int attempt, int ambiguous,
		@Nullable UUID contactId, boolean barred, boolean over) {

	boolean mayPass() {
		return !this.barred && !this.over;
	}

	/** Why it may not pass. */
	Outcome reason() {
		return this.barred ? new Outcome.Suppressed() : new Outcome.Deferred("No attempt was ever answered");
	}

	Lease lease() {
		return new Lease(this.id, this.epoch);
	}

}
