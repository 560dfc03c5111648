package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The deliveries that the active dispatcher has published and that are not finished, and
 * the room that is left for others: in all, for each account and for each destination of
 * an account. It exists in memory only. A new dispatcher begins with an empty one and
 * publishes some deliveries again, which the fence admits once. Only the thread of the
 * dispatcher uses it, except for the counts.
 */
public final class Window {

	/** Sorts before all accounts. */
	public static final UUID START = new UUID(0, 0);

	/** Weight of the lightest plan, in quarters. */
	private static final int LEAST_WEIGHT = 1;

	/** Deliveries of a destination before anything is known about it. */
	private static final int FIRST_LIMIT = 16;

	/**
	 * Time from the publication within which a delivery of a fast destination is claimed.
	 */
	private static final Duration FAST = Duration.ofSeconds(2);

	/** Time for which a delivery waits at a worker whose destination has too many. */
	private static final Duration SLOW = Duration.ofSeconds(5);

	/** Interval of comparisons with the queue. */
	private static final Duration INTERVAL = Duration.ofSeconds(1);

	/** The same while mail waits for room. */
	private static final Duration SHORT_INTERVAL = Duration.ofMillis(100);

	/** Time after which an unused destination is forgotten. */
	private static final Duration MEMORY = Duration.ofMinutes(10);

	private final int size;

	private final int share;

	private final Duration lease;

	private final int firstLimit;

	private final Duration dataLease;

	/** By delivery, in the order of publication. */
	private final Map<UUID, Entry> entries = new LinkedHashMap<>();

	private final Map<UUID, Account> accounts = new HashMap<>();

	/** Account behind which the next turn starts. */
	private UUID last = START;

	/** Time of the last comparison on the clock of {@link System#nanoTime()}. */
	private long compared = System.nanoTime();

	/** Whether a worker has returned deliveries since. */
	private boolean returned;

	/** Whether mail waited for room in the last turn. */
	private boolean limited;

	private volatile Counts counts = new Counts(0, 0);

	/** Deliveries that take a place. */
	private final AtomicInteger used = new AtomicInteger();

	/**
	 * Creates an empty window.
	 * @param size maximum number of deliveries that are published and not finished
	 * @param share maximum number of those that belong to one account of the heaviest
	 * plan; others have a smaller share, by the weight of their plan
	 * @param lease time after which a delivery that was not claimed is published again
	 * @param dataLease time of a hand-over. By the clock of this process, it must have
	 * passed since the publication of a delivery before its hand-over counts as expired,
	 * because the database's clock may have been set ahead
	 */
	Window(int size, int share, Duration lease, Duration dataLease) {
		this(size, share, lease, dataLease, FIRST_LIMIT);
	}

	/**
	 * Creates an empty window.
	 * @param firstLimit deliveries of a destination before anything is known about it
	 */
	Window(int size, int share, Duration lease, Duration dataLease, int firstLimit) {
		this.size = size;
		this.share = share;
		this.lease = lease;
		this.dataLease = dataLease;
		this.firstLimit = Math.min(share, firstLimit);
	}

	/**
	 * Whether the window is to be compared with the queue: other processes settle
	 * deliveries as well.
	 */
	boolean isComparisonDue() {
		long age = System.nanoTime() - this.compared;
		return this.returned || age > (this.limited ? SHORT_INTERVAL : INTERVAL).toNanos();
	}

	/** Notes whether mail waits for room. */
	void limited(boolean nowLimited) {
		this.limited = nowLimited;
	}

	/** Forgets everything, because another dispatcher may have been active. */
	public void clear() {
		this.entries.clear();
		this.accounts.clear();
		this.last = START;
		this.counts = new Counts(0, 0);
		this.used.set(0);
	}

	/** Deliveries that wait at a worker, by stream; may be called by any thread. */
	Counts counts() {
		return this.counts;
	}

	/** Deliveries that take a place; may be called by any thread. */
	public int used() {
		return this.used.get();
	}

	/** Free places. */
	int room() {
		return Math.max(0, this.size - this.used.get());
	}

	UUID last() {
		return this.last;
	}

	void continueAfter(UUID account) {
		this.last = account;
	}

	/**
	 * Deliveries of a stream that may be added: none while an account has more than three
	 * quarters of its share in flight, because each turn would pass all of them for a few
	 * others. Campaigns have half of the share.
	 * @param weight of the account's plan, in quarters
	 */
	int room(UUID id, boolean campaign, int weight) {
		@Nullable Account account = this.accounts.get(id);
		int own = share(weight);
		if (account == null) {
			return campaign ? (own + 1) / 2 : own;
		}
		if (account.counted * 4 > own * 3) {
			return 0;
		}
		int left = own - account.counted;
		if (!campaign) {
			return left;
		}
		return (account.campaigns * 8 > own * 3) ? 0 : Math.min(left, (own + 1) / 2 - account.campaigns);
	}

	private int share(int weight) {
		return (this.share * weight + 3) / 4;
	}

	/** Destination behind which the next turn of a stream starts; empty for the first. */
	String lastDestination(UUID account, boolean campaign) {
		@Nullable Account known = this.accounts.get(account);
		return (known == null) ? "" : known.last[campaign ? 1 : 0];
	}

	void continueAfter(UUID account, boolean campaign, String destination) {
		account(account).last[campaign ? 1 : 0] = destination;
	}

	/**
	 * Room by account and destination, where it differs from that of a destination about
	 * which nothing is known.
	 */
	Map<UUID, Map<String, Integer>> rooms(Collection<UUID> ofAccounts) {
		long now = System.nanoTime();
		Map<UUID, Map<String, Integer>> rooms = new HashMap<>();
		for (UUID id : ofAccounts) {
			@Nullable Account account = this.accounts.get(id);
			if (account != null) {
				account.destinations.forEach((name, destination) -> {
					if (destination.room(now) != this.firstLimit) {
						rooms.computeIfAbsent(id, (_) -> new HashMap<>()).put(name, destination.room(now));
					}
				});
			}
		}
		return rooms;
	}

	/** Room for deliveries of a destination about which nothing is known. */
	int firstLimit() {
		return this.firstLimit;
	}

	/** Ids of all deliveries in the window. */
	UUID[] ids() {
		return this.entries.keySet().toArray(UUID[]::new);
	}

	/**
	 * Adds a delivery that is about to be published, if the share of its account has a
	 * place: the two streams of an account are read without regard to each other.
	 * @param weight of the account's plan, in quarters
	 */
	boolean add(Lease lease, boolean campaign, int weight) {
		UUID account = lease.route().accountId();
		if (account(account).counted >= share(weight)) {
			return false;
		}
		Entry entry = new Entry(lease.delivery(), lease.epoch(), account, campaign,
				destination(account, lease.route().domain()), this.lease);
		entry.expiry = entry.since + this.dataLease.toNanos();
		add(entry);
		return true;
	}

	/**
	 * Adds a transactional delivery that is about to be published without a turn, if its
	 * account and its destination have room.
	 */
	boolean addAnnounced(Lease lease) {
		UUID account = lease.route().accountId();
		Destination destination = destination(account, lease.route().domain());
		return room() > 0 && room(account, false, LEAST_WEIGHT) > 0 && destination.room(System.nanoTime()) > 0
				&& !this.entries.containsKey(lease.delivery()) && add(lease, false, LEAST_WEIGHT);
	}

	/** Adds a delivery that was claimed under an earlier dispatcher. */
	void addClaimed(UUID delivery, int epoch, UUID account, boolean campaign, String domain) {
		if (!this.entries.containsKey(delivery)) {
			Entry entry = new Entry(delivery, epoch - 1, account, campaign, destination(account, domain), this.lease);
			add(entry);
			claimed(entry, entry.since);
		}
	}

	private void add(Entry entry) {
		this.entries.put(entry.delivery, entry);
		count(entry, 1);
		entry.destination.inFlight++;
		entry.destination.used = entry.since;
		Account account = account(entry.account);
		account.counted++;
		this.used.incrementAndGet();
		account.campaigns += entry.campaign ? 1 : 0;
	}

	/** Removes deliveries that were not published. */
	public void remove(Collection<Lease> leases) {
		leases.forEach((lease) -> remove(this.entries.get(lease.delivery())));
	}

	/**
	 * Notes deliveries that a worker did not take. The next comparison removes them,
	 * unless another worker has claimed them.
	 * @param delay time for which they, or their destinations, are left out
	 * @param closed whether the destinations take no mail for that time
	 */
	public void returned(Collection<UUID> deliveries, Duration delay, boolean closed) {
		long now = System.nanoTime();
		for (UUID id : deliveries) {
			@Nullable Entry entry = this.entries.get(id);
			if (entry == null || entry.claimed) {
				continue;
			}
			if (closed) {
				entry.destination.close(now, delay);
			}
			entry.until = closed ? now : now + delay.toNanos();
			this.returned = true;
		}
	}

	/** Removes deliveries whose attempts have ended in this process. */
	public void ended(Collection<UUID> deliveries) {
		long now = System.nanoTime();
		for (UUID id : deliveries) {
			@Nullable Entry entry = this.entries.get(id);
			if (entry != null) {
				claimed(entry, now);
				remove(entry);
			}
		}
	}

	/** Leaves a destination of an account out for a time. */
	public void close(Route route, Duration delay) {
		destination(route.accountId(), route.domain()).close(System.nanoTime(), delay);
	}

	/**
	 * Compares the window with the queue.
	 * @param rows state of the deliveries that the queue still has
	 * @return deliveries whose hand-over has expired; the next comparison removes them
	 */
	List<UUID> update(Map<UUID, Position> rows) {
		long now = System.nanoTime();
		this.compared = now;
		this.returned = false;
		List<UUID> expired = new ArrayList<>();
		for (Entry entry : List.copyOf(this.entries.values())) {
			@Nullable Position row = rows.get(entry.delivery);
			boolean waits = row != null && row.ready() && !row.claimed() && row.epoch() == entry.epoch;
			if (waits) {
				waiting(entry, now);
				continue;
			}
			claimed(entry, now);
			if (row == null || !row.claimed()) {
				remove(entry);
			}
			else if (row.expired() && now - entry.expiry >= 0) {
				expired.add(entry.delivery);
			}
			else if (now - entry.since > this.lease.toNanos()) {
				uncount(entry);
			}
		}
		forget(now);
		return expired;
	}

	/** A delivery that no worker has claimed for a lease is published again. */
	private void waiting(Entry entry, long now) {
		long age = now - entry.since;
		if (age > SLOW.toNanos()) {
			entry.destination.slow(now);
		}
		if (now - entry.until >= 0) {
			remove(entry);
		}
	}

	/** Destinations of accounts that have taken little or no mail for a time. */
	public List<Route> slowFor(Duration time) {
		long now = System.nanoTime();
		List<Route> slow = new ArrayList<>();
		this.accounts.forEach((id, account) -> account.destinations.forEach((name, destination) -> {
			if (destination.slowSince != 0 && now - destination.slowSince > time.toNanos()) {
				slow.add(new Route(id, name, null, false));
			}
		}));
		return slow;
	}

	private void remove(@Nullable Entry entry) {
		if (entry != null && this.entries.remove(entry.delivery) != null) {
			uncount(entry);
			entry.destination.inFlight--;
			if (!entry.claimed) {
				count(entry, -1);
			}
		}
	}

	private void claimed(Entry entry, long now) {
		if (!entry.claimed) {
			entry.claimed = true;
			entry.destination.claimed(now - entry.since);
			count(entry, -1);
		}
	}

	/** A long hand-over takes no place any more. */
	private void uncount(Entry entry) {
		if (entry.counted) {
			entry.counted = false;
			Account account = account(entry.account);
			account.counted--;
			this.used.decrementAndGet();
			account.campaigns -= entry.campaign ? 1 : 0;
		}
	}

	private void forget(long now) {
		this.accounts.values().removeIf((account) -> {
			account.destinations.values().removeIf((destination) -> destination.isForgotten(now));
			return account.counted == 0 && account.destinations.isEmpty() && account.last[0].isEmpty()
					&& account.last[1].isEmpty();
		});
	}

	/** Counts a delivery that begins or ceases to wait at a worker. */
	private void count(Entry entry, int change) {
		this.counts = entry.campaign ? new Counts(this.counts.transactional, this.counts.campaigns + change)
				: new Counts(this.counts.transactional + change, this.counts.campaigns);
	}

	private Account account(UUID id) {
		return this.accounts.computeIfAbsent(id, (_) -> new Account());
	}

	private Destination destination(UUID account, String name) {
		return account(account).destinations.computeIfAbsent(name, (_) -> new Destination(this.firstLimit, this.share));
	}

	/** Numbers of deliveries that wait at a worker. */
	record Counts(int transactional, int campaigns) {
	}

	/**
	 * Position of a delivery in the queue.
	 *
	 * @param claimed whether it is being sent
	 * @param expired whether its hand-over counts as lost
	 */
	record Position(int epoch, boolean ready, boolean claimed, boolean expired) {
	}

	/** A published delivery. */
	private static final class Entry {

		private final UUID delivery;

		/** Under which it was published. */
		private final int epoch;

		private final UUID account;

		private final boolean campaign;

		private final Destination destination;

		/** Time of the publication on the clock of {@link System#nanoTime()}. */
		private final long since = System.nanoTime();

		/** Time until which a worker may claim it; later it is published again. */
		private long until;

		/** Before it no hand-over has expired, whatever the database's clock shows. */
		private long expiry = this.since;

		private boolean claimed;

		private boolean counted = true;

		Entry(UUID delivery, int epoch, UUID account, boolean campaign, Destination destination, Duration lease) {
			this.delivery = delivery;
			this.epoch = epoch;
			this.account = account;
			this.campaign = campaign;
			this.destination = destination;
			this.until = this.since + lease.toNanos();
		}

	}

	/** Deliveries of an account that take a place. */
	private static final class Account {

		private final Map<String, Destination> destinations = new HashMap<>();

		/** Last destination of a turn that ended early, by stream. */
		private final String[] last = { "", "" };

		private int counted;

		private int campaigns;

	}

	/**
	 * A destination of an account. Its limit grows by one with each delivery that is
	 * claimed fast, and halves while deliveries wait, so that those in flight are few
	 * enough to be taken within seconds.
	 */
	private static final class Destination {

		private final int maximum;

		private int limit;

		private int inFlight;

		private long closedUntil;

		private long halved;

		private long used = System.nanoTime();

		/** Since when no delivery was claimed; 0 if none waits for long. */
		private long slowSince;

		Destination(int limit, int maximum) {
			this.maximum = maximum;
			this.limit = limit;
			this.closedUntil = this.used;
			this.halved = this.used - SLOW.toNanos();
		}

		int room(long now) {
			return (now - this.closedUntil < 0 || this.inFlight * 4 > this.limit * 3) ? 0 : this.limit - this.inFlight;
		}

		void claimed(long after) {
			this.slowSince = 0;
			if (after <= FAST.toNanos()) {
				this.limit = Math.min(this.maximum, this.limit + 1);
			}
		}

		void slow(long now) {
			if (now - this.halved >= SLOW.toNanos()) {
				this.limit = Math.max(1, this.limit / 2);
				this.halved = now;
				mark(now);
			}
		}

		void close(long now, Duration delay) {
			this.closedUntil = now + delay.toNanos();
			this.limit = 1;
			this.used = now;
			mark(now);
		}

		private void mark(long now) {
			this.slowSince = (this.slowSince == 0) ? now | 1 : this.slowSince;
		}

		boolean isForgotten(long now) {
			return this.inFlight == 0 && now - this.closedUntil >= 0 && now - this.used > MEMORY.toNanos();
		}

	}

}
