package dev.mailroom.audit;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Page;
import org.jspecify.annotations.Nullable;

/**
 * A recorded change.
 *
 * @param accountId the account concerned; null if the whole platform is
 * @param actorId the person who signed in, or the API key
 * @param actorKind person, api_key or operator
 * @param act the contract's name of an {@link Act}
 * @param target id or name of the changed object; empty if it is the account
 * @param reason the reason that an operator gave; null for acts without one
 * @param details new values, without secrets
 * @param ip network address of the client; null if it is unknown
 * @param device program and system of the client by its User-Agent; null if unknown
 */
public record AuditEntry(UUID id, @Nullable UUID accountId, UUID actorId, String actorKind, String act, String target,
		@Nullable String reason, Map<String, Object> details, @Nullable String ip, @Nullable String device,
		Instant createdAt) implements Page.Item {

	/**
	 * Selects the entries of a list; null conditions are not applied.
	 *
	 * @param account the account concerned
	 * @param actor the account that acted
	 * @param act the contract's name of an act
	 * @param target id or name of the changed object
	 * @param actorKind person, api_key or operator
	 * @param from the earliest time
	 * @param until the time before which the entries were written
	 */
	public record Filter(@Nullable UUID account, @Nullable UUID actor, @Nullable String act, @Nullable String target,
			@Nullable String actorKind, @Nullable Instant from, @Nullable Instant until) {
	}

}
