package dev.mailroom.worker.send;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Predicate;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.worker.smtp.client.Transport;

/**
 * Waiting leases for one destination and the number of lanes that it uses. Accounts take
 * turns, so that a burst of one account does not delay the others' mail to the same
 * destination. Guarded by the lock of {@link LaneQueue}.
 */
final class DestinationQueue {

	/** Time within which the waiting leases of a destination should be begun. */
	private static final Duration MAX_DRAIN_TIME = Duration.ofSeconds(30);

	/**
	 * Leases for a transport with one destination; more than the window of all workers.
	 */
	private static final int MAX_LEASES = 20_000;

	/** One of so many lanes is reserved for accounts that use few. */
	private static final int RESERVED_PART = 8;

	private final Transport transport;

	private final Route route;

	private final HandOverPace pace;

	/** By account; the one served last is at the end. */
	private final Map<UUID, Queue<WaitingLease>> accounts = new LinkedHashMap<>();

	/** Busy lanes by account. */
	private final Map<UUID, Integer> accountLanes = new HashMap<>();

	private int size;

	private int lanes;

	DestinationQueue(Transport transport, Route route, HandOverPace pace) {
		this.transport = transport;
		this.route = route;
		this.pace = pace;
	}

	/**
	 * Adds a lease unless the queue is full.
	 * @param minSize size up to which leases are added to the queue of any destination
	 */
	boolean add(WaitingLease lease, int minSize) {
		if (this.size >= capacity(minSize)) {
			return false;
		}
		this.accounts.computeIfAbsent(lease.account(), (_) -> new ArrayDeque<>()).add(lease);
		this.size++;
		return true;
	}

	/**
	 * As many leases as the destination is expected to take before they expire. If the
	 * transport has one destination only, waiting here delays no other mail.
	 */
	private long capacity(int minSize) {
		return this.transport.isOneForAll() ? MAX_LEASES
				: Math.clamp(this.pace.mails(MAX_DRAIN_TIME, Math.max(1, this.lanes)), minSize, MAX_LEASES);
	}

	/**
	 * The next account in order among those that may use a lane. The last eighth of the
	 * lanes is left to accounts that use few, so that their mail does not wait until a
	 * chunk of another account ends.
	 */
	Optional<UUID> nextAccount(int minLanes, int freeLanes, Predicate<UUID> mayBegin) {
		int left = Math.min(this.transport.room(this.route) - this.lanes, (freeLanes - this.lanes + 1) / 2);
		boolean forAll = left > (this.lanes + left) / RESERVED_PART;
		return this.accounts.keySet()
			.stream()
			.filter((account) -> forAll || this.accountLanes.getOrDefault(account, 0) < minLanes)
			.filter(mayBegin)
			.findFirst();
	}

	/**
	 * Removes the next leases of an account, as many as one lane is expected to begin in
	 * time. Expired leases are dropped: their deliveries are leased again.
	 */
	List<Lease> take(UUID account, int max) {
		Queue<WaitingLease> waiting = this.accounts.remove(account);
		List<Lease> leases = new ArrayList<>();
		if (waiting == null) {
			return leases;
		}
		int count = this.pace.mails(max);
		while (leases.size() < count && !waiting.isEmpty()) {
			WaitingLease next = waiting.remove();
			this.size--;
			if (!next.isExpired()) {
				leases.add(next.lease());
			}
		}
		if (!waiting.isEmpty()) {
			this.accounts.put(account, waiting);
		}
		return leases;
	}

	/** Removes all leases. */
	List<Lease> clear() {
		List<Lease> leases = this.accounts.values().stream().flatMap(Queue::stream).map(WaitingLease::lease).toList();
		this.accounts.clear();
		this.size = 0;
		return leases;
	}

	void beginLane(UUID account) {
		this.lanes++;
		this.accountLanes.merge(account, 1, Integer::sum);
	}

	void endLane(UUID account) {
		this.lanes--;
		this.accountLanes.computeIfPresent(account, (_, busy) -> (busy > 1) ? busy - 1 : null);
	}

	/** Whether one more lane may be used besides those in use. */
	boolean mayUseLane(int minLanes, int freeLanes) {
		return this.size > 0 && (this.lanes < minLanes || this.lanes < freeLanes)
				&& this.lanes < this.transport.room(this.route);
	}

	boolean isUnused() {
		return this.lanes == 0 && this.size == 0;
	}

	int size() {
		return this.size;
	}

	Transport transport() {
		return this.transport;
	}

	HandOverPace pace() {
		return this.pace;
	}

}
