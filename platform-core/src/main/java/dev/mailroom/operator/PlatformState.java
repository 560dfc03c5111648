package dev.mailroom.operator;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

import dev.mailroom.mail.queue.Holds;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of the whole platform.
 *
 * @param accounts number of tenants
 * @param pausedAccounts number of tenants whose sending is paused, without those that are
 * moved or deleted
 * @param runningCampaigns number of campaigns that are being sent
 * @param deadLetters number of dead letters that were not requeued
 * @param pendingCalls number of webhook calls that are due
 * @param oldestCallSeconds seconds for which the oldest of them has been due, without
 * those of failing endpoints; 0 without one
 * @param failingDomains number of verified domains whose records are missing
 * @param oldKeys number of active DKIM keys that are older than 180 days
 * @param dispatcherActive whether a worker holds the lock of the dispatcher
 * @param queuePausedAt time at which an operator paused the whole queue; null if it is
 * not paused, like the other two fields of the pause
 * @param pausedStreams the streams of the queue that operators paused
 */
public record PlatformState(long accounts, long pausedAccounts, long runningCampaigns, long deadLetters,
		long pendingCalls, long oldestCallSeconds, long failingDomains, long oldKeys, boolean dispatcherActive,
		@Nullable Instant queuePausedAt, @Nullable String queuePausedReason, @Nullable UUID queuePausedBy,
		List<Holds.QueuePause> pausedStreams) {

	/**
	 * A part of the queue.
	 *
	 * @param phase queued, leased or in_data
	 * @param stream transactional or campaign
	 * @param count number of deliveries
	 * @param due number of them that are due
	 * @param retries number of queued ones that wait for another attempt
	 * @param scheduled number of queued ones that wait for their first attempt
	 * @param oldestSeconds seconds for which the oldest due one has been due; 0 without
	 * one
	 */
	public record QueuePart(String phase, String stream, long count, long due, long retries, long scheduled,
			long oldestSeconds) {
	}

	/**
	 * An endpoint whose calls fail.
	 *
	 * @param failed number of calls given up in the last 24 hours
	 * @param pending number of calls that wait
	 * @param lastStatus HTTP status of the last call; null without a response
	 * @param lastAt time of the last call of the events of the last four days, in which
	 * calls are retried; null without one
	 * @param failingSince time of the first of the latest failed calls; null if the last
	 * call succeeded
	 * @param disabledReason reason why the platform switched the endpoint off; null if it
	 * did not
	 */
	public record FailingEndpoint(UUID id, UUID accountId, String url, boolean active, long failed, long pending,
			@Nullable Integer lastStatus, @Nullable Instant lastAt, @Nullable Instant failingSince,
			@Nullable String disabledReason) {
	}

}
