package dev.mailroom.mail.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.source.PoolChoice;
import dev.mailroom.source.SendingPools;
import dev.mailroom.source.SendingSources;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * The delivery queue: one row for each mail and recipient that is not finished. All times
 * are PostgreSQL's. The dispatcher leases deliveries to workers without writing; the
 * fence, just before the hand-over, excludes all other workers.
 */
@Service
public class Queue {

	private static final Logger log = LoggerFactory.getLogger(Queue.class);

	/** Deliveries that are marked as due in one turn. */
	private static final int MAX_MARKED = 5_000;

	/**
	 * Accounts of which due deliveries are marked in one turn while there is a backlog.
	 */
	private static final int MAX_VISITED = 1_000;

	/** Deliveries of such an account; the oldest of all are marked besides. */
	private static final int MAX_MARKED_OF_EACH = 20;

	/** Time after which a call begins no further batch of released deliveries. */
	private static final Duration RELEASE_TIME = Duration.ofSeconds(1);

	/** Rows of the queue that are read at a time in search of earlier hand-overs. */
	private static final int CLAIMED_PART = 20_000;

	/** Ids in one notification, whose length is limited to 8000 bytes. */
	private static final int MAX_NOT_TAKEN = 200;

	/** The last account of which deliveries were marked in a backlog. */
	private volatile UUID lastMarked = Window.START;

	/** The window of the dispatcher in this process. */
	private volatile Window window = new Window(0, 0, Duration.ZERO, Duration.ZERO);

	private final JdbcTransactions threads;

	private final Transitions transitions;

	private final ReadyMail ready;

	private final Holds holds;

	private final Fence fence;

	private final SendingSources sources;

	private final ApplicationEventPublisher publisher;

	Queue(JdbcTransactions threads, Transitions transitions, ReadyMail ready, Holds holds, Fence fence,
			SendingSources sources, ApplicationEventPublisher publisher) {
		this.threads = threads;
		this.transitions = transitions;
		this.ready = ready;
		this.holds = holds;
		this.fence = fence;
		this.sources = sources;
		this.publisher = publisher;
	}

	/**
	 * An empty window.
	 * @param size maximum number of deliveries that are published and not finished
	 * @param share maximum number of those that belong to one account of the heaviest
	 * plan; others have a smaller share, by the weight of their plan
	 */
	public Window window(int size, int share) {
		return this.ready.window(size, share);
	}

	/**
	 * Leases due deliveries for which the window has room, and adds them to it: account
	 * by account in the order of their ids; of each account transactional mail before
	 * campaigns, and of each destination what is due first. Compares the window with the
	 * queue at times, and returns hand-overs that have expired to the queue: they count
	 * as ambiguous, because the mail may have arrived.
	 */
	public Turn next(Window window) {
		this.window = window;
		if (window.isComparisonDue()) {
			compare(window);
		}
		SendingPools pools = this.sources.known();
		Read read = this.threads.byIndex((jdbc) -> read(jdbc, window, pools));
		List<ReadyMail.Due> leased = read.due()
			.stream()
			.filter((due) -> window.add(due.lease(), due.stream().campaign(), due.stream().weight()))
			.toList();
		Lease.Lateness.of(leased).forEach(this.publisher::publishEvent);
		return turn(read, leased, window);
	}

	/**
	 * Leases a delivery that was announced at its acceptance, without reading its row:
	 * the fence does not admit it if it is not ready any more.
	 * @param taker takes the lease, or does not
	 * @return false if there is no room, it was not taken, or its pool depends on more
	 * than was announced
	 */
	public boolean offer(Lease lease, Window window, Predicate<Lease> taker) {
		UUID account = lease.route().accountId();
		SendingPools pools = this.sources.known();
		if (!pools.isDecidedBy(account) || !window.addAnnounced(lease)) {
			return false;
		}
		@Nullable PoolChoice choice = pools.choice(account, null, null, false);
		Lease routed = (choice == null) ? lease
				: lease.by(lease.route().from(new Route.Origin(choice.pool(), false, false, null)));
		if (!taker.test(routed)) {
			window.remove(List.of(lease));
			return false;
		}
		this.publisher.publishEvent(new Lease.Lateness("transactional", List.of(Duration.ZERO)));
		return true;
	}

	/**
	 * Compares the window with the queue, and returns hand-overs that have expired to the
	 * queue.
	 * @return number of deliveries returned
	 */
	int compare(Window window) {
		UUID[] ids = window.ids();
		List<UUID> expired = window
			.update((ids.length == 0) ? Map.of() : this.threads.byIndex((jdbc) -> this.ready.positions(jdbc, ids)));
		if (expired.isEmpty()) {
			return 0;
		}
		int recovered = this.threads.<Integer>byIndex((jdbc) -> this.transitions.recover(jdbc, expired));
		log.info("{} hand-overs have expired; their deliveries return to the queue", recovered);
		return recovered;
	}

	private Read read(JdbcClient jdbc, Window window, SendingPools pools) {
		markDue(jdbc);
		List<ReadyMail.Stream> streams = this.ready.streams(jdbc, window.last());
		int room = window.room();
		List<ReadyMail.Visit> visits = new ArrayList<>();
		boolean limited = false;
		for (ReadyMail.Stream stream : streams) {
			int wanted = Math.min(room, window.room(stream.account(), stream.campaign(), stream.weight()));
			if (wanted > 0) {
				visits.add(new ReadyMail.Visit(stream, wanted,
						window.lastDestination(stream.account(), stream.campaign())));
			}
			limited |= wanted == 0 && stream.weight() > 0;
		}
		window.limited(limited);
		List<ReadyMail.Due> due = visits.isEmpty() ? List.of() : this.ready.next(jdbc, visits, window, pools);
		return new Read(streams, visits, due, room, streams.isEmpty() && this.ready.isEmpty(jdbc));
	}

	/** Notes where the next turn continues: where this one ended because of a limit. */
	private static Turn turn(Read read, List<ReadyMail.Due> leased, Window window) {
		boolean full = read.due().size() >= read.room();
		boolean again = !full && !window.last().equals(Window.START);
		Map<ReadyMail.Stream, List<ReadyMail.Due>> found = new HashMap<>();
		read.due().forEach((due) -> found.computeIfAbsent(due.stream(), (_) -> new ArrayList<>()).add(due));
		for (ReadyMail.Visit visit : read.visits()) {
			ReadyMail.Stream stream = visit.stream();
			List<ReadyMail.Due> own = found.getOrDefault(stream, List.of());
			if (own.size() >= visit.wanted() || (full && !own.isEmpty())) {
				window.continueAfter(stream.account(), stream.campaign(), own.getLast().lease().route().domain());
			}
			else if (!full && !visit.after().isEmpty()) {
				window.continueAfter(stream.account(), stream.campaign(), "");
				again = true;
			}
		}
		if (!full) {
			UUID end = end(read.streams());
			window.continueAfter(end);
			again |= !end.equals(Window.START);
		}
		else if (!read.due().isEmpty()) {
			window.continueAfter(read.due().getLast().stream().account());
		}
		return new Turn(leased.stream().map(ReadyMail.Due::lease).toList(), full, read.empty(), again,
				read.streams().stream().anyMatch((stream) -> stream.weight() > 0));
	}

	/**
	 * The last account of which all streams were read, if there may be more accounts;
	 * else the start.
	 */
	private static UUID end(List<ReadyMail.Stream> streams) {
		UUID last = (streams.size() < ReadyMail.MAX_STREAMS) ? Window.START : streams.getLast().account();
		return streams.reversed()
			.stream()
			.map(ReadyMail.Stream::account)
			.filter((account) -> !account.equals(last))
			.findFirst()
			.filter((_) -> !last.equals(Window.START))
			.orElse(Window.START);
	}

	/**
	 * Marks deliveries as due: the oldest, and if there are more of them than one turn
	 * may mark, also some of each account, so that none waits for the backlog of another.
	 */
	private void markDue(JdbcClient jdbc) {
		if (this.transitions.markDue(jdbc, MAX_MARKED) >= MAX_MARKED) {
			this.lastMarked = this.transitions.markDue(jdbc, this.lastMarked, MAX_VISITED, MAX_MARKED_OF_EACH);
		}
	}

	/**
	 * Adds deliveries to the window that are being sent under an earlier dispatcher, from
	 * one part of the queue in the order of ids.
	 * @param after the last delivery of the part before; the nil id to begin
	 * @return the last delivery of the part; null if there are no more
	 */
	public @Nullable UUID findClaimed(Window window, UUID after) {
		return this.threads
			.<@Nullable UUID>byIndex((jdbc) -> this.ready.findClaimed(jdbc, window, after, CLAIMED_PART));
	}

	/**
	 * Tells the dispatcher that a worker does not take leases, so that it leases the
	 * deliveries again after the delay. No row is changed. If the message is lost, they
	 * are leased again when their leases end.
	 * @param closed whether their destinations take no mail for that time
	 */
	public void notTaken(List<Lease> leases, Duration delay, boolean closed) {
		for (int from = 0; from < leases.size(); from += MAX_NOT_TAKEN) {
			List<Lease> part = leases.subList(from, Math.min(leases.size(), from + MAX_NOT_TAKEN));
			String message = new NotTaken(part.stream().map(Lease::delivery).toList(), delay, closed).text();
			this.threads.runAcrossAccounts((jdbc) -> SqlStatement.of("select pg_notify(:channel, :message)")
				.bind("channel", NotTaken.CHANNEL)
				.bind("message", message)
				.run(jdbc));
		}
	}

	/**
	 * Passes the fence with those deliveries that may be handed over now: the row still
	 * has the epoch of the lease and is ready, the account is not paused, the recipient
	 * is not suppressed and, if addressed through a contact book, still subscribed. Mail
	 * of a campaign that is not running, or to a destination that an operator holds, is
	 * held; mail of a paused stream stays ready. Concurrent callers share a transaction.
	 * The contents are in memory until the result is closed.
	 * @param limit longest time to wait for the fence; deliveries that pass it later
	 * return to the queue
	 * @throws IllegalStateException if the database does not reply in time, or the thread
	 * is interrupted
	 */
	public Fenced fence(List<Lease> leases, Duration limit) {
		Fence.Passed passed = this.fence.pass(leases, limit);
		hold(passed.held());
		tryNotTaken(passed.refused(leases));
		return this.fence.complete(passed);
	}

	/**
	 * Tells the dispatcher about deliveries that may not be sent now: some were changed
	 * meanwhile, and some wait for their account or stream.
	 */
	private void tryNotTaken(List<Lease> leases) {
		try {
			notTaken(leases, Duration.ZERO, false);
		}
		catch (RuntimeException ex) {
			log.warn("{} deliveries wait until their leases end: {}", leases.size(), ex.toString());
		}
	}

	/**
	 * Holds ready deliveries whose campaign is not running or whose destination is held.
	 * Errors are logged only: the fence does not admit the mails.
	 */
	public void hold(List<Lease> leases) {
		if (leases.isEmpty()) {
			return;
		}
		try {
			this.threads.runByIndex((jdbc) -> this.transitions.hold(jdbc, leases));
		}
		catch (RuntimeException ex) {
			log.warn("{} deliveries were not held: {}", leases.size(), ex.toString());
		}
	}

	/**
	 * The deliveries that have passed the fence under these leases and that it would not
	 * let pass any more, because of a stop, a suppression or an unsubscription since.
	 */
	public Set<UUID> stopped(List<Lease> leases) {
		return Set.copyOf(this.threads.byIndex((jdbc) -> this.transitions.stopped(jdbc, leases)));
	}

	/**
	 * Makes deliveries due whose destination was released, in batches and for a limited
	 * time: the next call continues. A hold that has no more deliveries is removed.
	 * Errors are logged.
	 * @return number of deliveries made due
	 */
	public long releaseDestinations() {
		long end = System.nanoTime() + RELEASE_TIME.toNanos();
		try {
			return this.holds.ended().stream().mapToLong((destination) -> release(destination, end)).sum();
		}
		catch (RuntimeException ex) {
			log.warn("Held destinations could not be released: {}", ex.toString());
			return 0;
		}
	}

	private long release(String destination, long end) {
		long released = 0;
		try {
			int batch;
			do {
				batch = this.threads
					.<Integer>byIndex((jdbc) -> this.transitions.release(jdbc, destination, MAX_MARKED));
				released += batch;
			}
			while (batch > 0 && System.nanoTime() - end < 0);
			if (batch == 0) {
				this.holds.remove(destination);
			}
		}
		catch (RuntimeException ex) {
			log.warn("Mail to {} could not be released: {}", destination, ex.toString());
		}
		return released;
	}

	/**
	 * Number of deliveries in each phase and stream, and how long the oldest has been
	 * due. If many deliveries wait, their number is estimated from the first of them.
	 */
	public List<Depth> depth() {
		return withLeased(this.threads.byIndex(this.transitions::depth), this.window.counts());
	}

	/** Of the deliveries that are due, those that wait at a worker are leased. */
	private static List<Depth> withLeased(List<Depth> depths, Window.Counts leased) {
		List<Depth> all = new ArrayList<>();
		for (Depth depth : depths) {
			int own = !depth.phase().equals("due") ? 0
					: (depth.stream().equals("campaign") ? leased.campaigns() : leased.transactional());
			if (own > 0) {
				all.add(new Depth("leased", depth.stream(), Math.min(own, depth.count()), depth.oldestSeconds()));
			}
			all.add((own > 0)
					? new Depth(depth.phase(), depth.stream(), Math.max(0, depth.count() - own), depth.oldestSeconds())
					: depth);
		}
		return all;
	}

	/**
	 * Leases of one pass over the accounts.
	 *
	 * @param full whether the turn ended because the window is full
	 * @param empty whether the queue had no rows
	 * @param again whether accounts or destinations before the start of this turn are
	 * still to be visited
	 * @param ready whether the queue had ready rows, of which all may be in the window
	 */
	public record Turn(List<Lease> leases, boolean full, boolean empty, boolean again, boolean ready) {

		/** A turn that has not been taken. */
		public static final Turn NONE = new Turn(List.of(), false, false, false, false);

	}

	/** Rows and limits that a turn has read. */
	private record Read(List<ReadyMail.Stream> streams, List<ReadyMail.Visit> visits, List<ReadyMail.Due> due, int room,
			boolean empty) {
	}

	/**
	 * A message that transactional mail is due.
	 *
	 * @param leases the deliveries that are due, as they were accepted; empty if the
	 * queue is to be read
	 */
	public record Due(List<Lease> leases) {

		/** Channel of the notification. */
		public static final String CHANNEL = "mailroom_due";

		/** Deliveries of a message at most: many are read from the queue faster. */
		public static final int MAX = 4;

		/** Both messages in one. */
		public Due and(Due other) {
			boolean few = !this.leases.isEmpty() && !other.leases.isEmpty()
					&& this.leases.size() + other.leases.size() <= MAX;
			return few ? new Due(Stream.concat(this.leases.stream(), other.leases.stream()).toList())
					: new Due(List.of());
		}

		/** The payload: five words for each delivery. */
		public String text() {
			return this.leases.stream().map((lease) -> {
				Route route = lease.route();
				String transport = (route.transport() != null) ? route.transport().contractName() : "-";
				return lease.delivery() + " " + route.accountId() + " " + route.domain() + " " + transport + " "
						+ route.requiresTls();
			}).collect(Collectors.joining(" "));
		}

		/**
		 * Reads the payload of a notification.
		 * @throws IllegalArgumentException if it is not one
		 */
		public static Due of(String text) {
			if (text.isEmpty()) {
				return new Due(List.of());
			}
			String[] words = text.split(" ", -1);
			if (words.length % 5 != 0) {
				throw new IllegalArgumentException("Not a list of deliveries: " + text);
			}
			List<Lease> leases = new ArrayList<>();
			for (int i = 0; i < words.length; i += 5) {
				leases.add(new Lease(UUID.fromString(words[i]), 0, new Route(UUID.fromString(words[i + 1]),
						words[i + 2], TransportKind.of(words[i + 3]), Boolean.parseBoolean(words[i + 4]))));
			}
			return new Due(leases);
		}

	}

	/** A message that a worker does not take deliveries. */
	public record NotTaken(List<UUID> deliveries, Duration delay, boolean closed) {

		/** Channel of the notification. */
		public static final String CHANNEL = "mailroom_not_taken";

		String text() {
			return this.delay.toMillis() + " " + this.closed + " "
					+ this.deliveries.stream().map(UUID::toString).collect(Collectors.joining(" "));
		}

		/**
		 * Reads the payload of a notification.
		 * @throws IllegalArgumentException if it is not one
		 */
		public static NotTaken of(String text) {
			String[] words = text.split(" ", -1);
			return new NotTaken(Arrays.stream(words).skip(2).map(UUID::fromString).toList(),
					Duration.ofMillis(Long.parseLong(words[0])), Boolean.parseBoolean(words[1]));
		}

	}

	/**
	 * Number of deliveries, and how long the oldest has been due.
	 *
	 * @param phase paused (of a paused account), scheduled, due, leased or in_data
	 * @param stream transactional or campaign
	 */
	public record Depth(String phase, String stream, long count, double oldestSeconds) {
	}

}
