package dev.mailroom.system.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.process.Database;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mails of one test: it posts them, observes them after the crash, and compares the
 * final state with the copies that the servers received.
 */
final class Run {

	private static final Duration TIMEOUT = Duration.ofMinutes(3);

	private static final Duration POLL_INTERVAL = Duration.ofMillis(250);

	private static final int CLIENTS = 8;

	private final Testbed testbed;

	private final String name = UUID.randomUUID().toString().substring(0, 8);

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	private final Map<String, String> left = new HashMap<>();

	private final AtomicInteger numbers = new AtomicInteger();

	/** Times of the responses, by {@link System#nanoTime()}. */
	private final Queue<Long> times = new ConcurrentLinkedQueue<>();

	/** Number of accepted mails by position of the instance of the API. */
	private final Map<Integer, Integer> accepted = new ConcurrentHashMap<>();

	Run(Testbed testbed) {
		this.testbed = testbed;
	}

	/** Posts mails or arrays of mails, and repeats each request until it succeeds. */
	void post(List<String> bodies) throws Exception {
		posting(bodies).join();
	}

	/** As {@link #post}, but returns at once. */
	Posting posting(List<String> bodies) {
		ExecutorService clients = Executors.newFixedThreadPool(Math.min(CLIENTS, bodies.size()));
		return new Posting(clients, bodies.stream().map((body) -> clients.submit(() -> request(body))).toList());
	}

	private Void request(String body) throws Exception {
		try (RetryingClient client = new RetryingClient(this.testbed, 0)) {
			accepted(client.post(body));
		}
		return null;
	}

	/** Records the mails of a request. */
	void accepted(RetryingClient.Accepted accepted) {
		this.times.add(System.nanoTime());
		this.acknowledged.addAll(accepted.ids());
		this.accepted.merge(accepted.api(), accepted.ids().size(), Integer::sum);
	}

	/** The longest time between two accepted requests. */
	Duration longestPause() {
		List<Long> sorted = this.times.stream().sorted().toList();
		return Duration.ofNanos(
				IntStream.range(1, sorted.size()).mapToLong((i) -> sorted.get(i) - sorted.get(i - 1)).max().orElse(0));
	}

	/** The time from a moment of {@link System#nanoTime()} to the next response. */
	Duration acceptedAfter(long moment) {
		return Duration.ofNanos(
				this.times.stream().mapToLong((time) -> time - moment).filter((time) -> time > 0).min().orElseThrow());
	}

	Map<Integer, Integer> acceptedByApi() {
		return this.accepted;
	}

	/** Posts mails and returns the time until the server has received all of them. */
	Duration arrival(int mails) throws Exception {
		long began = System.nanoTime();
		int first = this.numbers.getAndAdd(mails) + 1;
		List<String> to = IntStream.range(first, first + mails)
			.mapToObj((number) -> recipient(number, 0, Behavior.TAKE))
			.toList();
		post(to.stream().map((recipient) -> mail(List.of(recipient), 200)).toList());
		Await.until("all mails arrive", TIMEOUT, () -> this.testbed.copies(this.name).keySet().containsAll(to));
		return Duration.ofNanos(System.nanoTime() - began);
	}

	/** Name with which the addresses of all recipients begin. */
	String name() {
		return this.name;
	}

	/** Number of mails acknowledged so far. */
	int acknowledged() {
		return this.acknowledged.size();
	}

	/** A mail to several recipients with the same behaviour. */
	String mail(int number, Behavior behavior, int recipients, int bytes) {
		List<String> to = new ArrayList<>();
		for (int i = 0; i < recipients; i++) {
			to.add(recipient(number, i, behavior));
		}
		return mail(to, bytes);
	}

	/** A mail to three recipients on different hosts, one of which defers the mail. */
	String mailToSeveralHosts(int number) {
		return mail(number, Behavior.TAKE, (number % 50 == 0) ? Behavior.SLOW_DOWN : Behavior.DEFER, Behavior.POSTFIX);
	}

	/** A small mail to a recipient of its own, which is accepted. */
	String nextMail() {
		return mail(this.numbers.incrementAndGet(), Behavior.TAKE);
	}

	/** Small mails, as one request. */
	String nextBatch(int mails) {
		return Stream.generate(this::nextMail).limit(mails).collect(Collectors.joining(",", "[", "]"));
	}

	/** A small mail to recipients with these behaviours. */
	String mail(int number, Behavior... behaviors) {
		List<String> to = new ArrayList<>();
		for (Behavior behavior : behaviors) {
			to.add(recipient(number, to.size(), behavior));
		}
		return mail(to, 200);
	}

	private String recipient(int number, int position, Behavior behavior) {
		String recipient = this.name + "-" + number + "-" + position + "@" + behavior.domain();
		behavior.script(this.testbed.smtp(), recipient);
		return recipient;
	}

	private String mail(List<String> to, int bytes) {
		return JsonMapper.shared()
			.writeValueAsString(Map.of("from", "Ann <a@" + this.testbed.tenant().domain() + ">", "to", to, "subject",
					this.name, "text", "All work and no play.\n".repeat(1 + bytes / 22)));
	}

	/**
	 * Records the phase of each delivery after a crash, once the database has finished
	 * the statements of the ended program.
	 */
	Map<String, String> left() throws Exception {
		Await.until("the ended program has no statement", TIMEOUT,
				() -> this.testbed
					.rows("select pid from pg_stat_activity where usename = '" + Database.APP + "' and state <> 'idle'")
					.isEmpty());
		for (List<String> row : deliveries()) {
			this.left.put(row.getFirst(), row.get(1));
		}
		return this.left;
	}

	/** Waits until all deliveries are settled, and checks the copies received. */
	Verdict verdict() throws Exception {
		awaitOpen(0);
		int lost = 0;
		int twice = 0;
		int possible = 0;
		List<List<String>> rows = deliveries();
		Map<String, List<Integer>> received = this.testbed.copies(this.name);
		assertThat(rows.stream().map(List::getFirst)).as("no other recipients").containsAll(received.keySet());
		assertThat(rows.stream().map((row) -> row.get(4)).collect(Collectors.toSet())).isEqualTo(this.acknowledged);
		for (List<String> row : rows) {
			String recipient = row.getFirst();
			boolean refused = Behavior.of(recipient) == Behavior.REFUSE;
			List<Integer> copies = received.getOrDefault(recipient, List.of());
			int ambiguous = Integer.parseInt(row.get(2));
			assertThat(row.get(3)).as(recipient).isEqualTo(refused ? "bounced" : "delivered");
			assertThat(row.get(5)).as("final events for " + recipient).isEqualTo("1");
			assertThat(copies).as("copies for " + recipient).hasSizeLessThanOrEqualTo(1 + ambiguous);
			assertThat(copies.stream().distinct()).as("equal copies for " + recipient).hasSizeLessThanOrEqualTo(1);
			lost += (copies.isEmpty() && !refused) ? 1 : 0;
			twice += (copies.size() > 1) ? 1 : 0;
			possible += ambiguous;
		}
		return new Verdict(rows.size(), lost, twice, possible);
	}

	/**
	 * Waits until at most this many deliveries are open, as long as there is progress.
	 */
	void awaitOpen(int limit) throws Exception {
		for (int open = open(); open > limit; open = open()) {
			int before = open;
			Await.until("fewer than " + before + " deliveries are open", TIMEOUT, POLL_INTERVAL, () -> open() < before);
		}
	}

	private int open() throws Exception {
		return Integer
			.parseInt(this.testbed.rows("select count(*) from delivery_state where phase in ('queued', 'in_data')")
				.getFirst()
				.getFirst());
	}

	/** Number of stored mails, acknowledged or not. */
	int mails() throws Exception {
		return this.testbed.rows("select id from email where subject = '" + this.name + "'").size();
	}

	/** Transports and server addresses used by the mails. */
	List<String> routes() throws Exception {
		return this.testbed.rows("""
				select distinct transport || ' ' || delivery_attempt.address as route
				  from delivery_attempt join email on email.id = email_id
				 where subject = '%s' and outcome = 'delivered' order by route
				""".formatted(this.name)).stream().map(List::getFirst).toList();
	}

	/** Recipient, phase, ambiguous, status, mail and number of final events. */
	private List<List<String>> deliveries() throws Exception {
		return this.testbed.rows("""
				select recipient, phase, ambiguous, delivery_state.status, email_id,
				       (select count(*) from event where event.email_id = delivery_state.email_id
				           and kind in ('email.delivered', 'email.bounced') and data ->> 'recipient' = recipient)
				  from delivery_state join email on email.id = email_id where subject = '%s'
				""".formatted(this.name));
	}

	/** Clients waiting for their responses. */
	static final class Posting {

		private final ExecutorService clients;

		private final List<Future<Void>> answers;

		private Posting(ExecutorService clients, List<Future<Void>> answers) {
			this.clients = clients;
			this.answers = answers;
		}

		/** Waits until all requests have succeeded. */
		void join() throws Exception {
			for (Future<Void> answer : this.answers) {
				answer.get();
			}
			this.clients.close();
		}

	}

	/**
	 * Result of a run.
	 *
	 * @param possible attempts that ended without a reply
	 */
	record Verdict(int recipients, int lost, int twice, int possible) {
	}

}
