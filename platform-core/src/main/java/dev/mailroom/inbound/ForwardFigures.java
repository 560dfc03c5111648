package dev.mailroom.inbound;

import java.util.UUID;

/**
 * Mails of an account that routes forwarded in a period, one for each address, and the
 * addresses outside of its domains.
 *
 * @param account address of its owner
 * @param loops mails that were forwarded by the same address before, or by too many
 * servers
 * @param viruses mails with a virus
 * @param limited mails beyond the limit of a domain
 * @param unconfirmed mails to addresses whose owners have not confirmed
 * @param refused mails that the account may not send
 * @param confirmedTargets addresses whose owners have confirmed
 * @param waitingTargets addresses whose owners have not
 */
public record ForwardFigures(UUID accountId, String account, long queued, long loops, long viruses, long limited,
		long unconfirmed, long refused, long confirmedTargets, long waitingTargets) {
}
