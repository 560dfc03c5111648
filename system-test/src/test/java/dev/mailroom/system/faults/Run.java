package dev.mailroom.system.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

import dev.mailroom.system.Database;
import dev.mailroom.system.Poll;
import dev.mailroom.system.Web;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Some mails that were accepted, what the crash left of them, and what became of them in
 * the end: the ledger that every promise is held against.
 */
final class Run {

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final Duration NOW_AND_THEN = Duration.ofMillis(250);

	private static final int CLIENTS = 8;

	private final Scene scene;

	private final String name = UUID.randomUUID().toString().substring(0, 8);

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	private final Map<String, String> left = new HashMap<>();

	Run(Scene scene) {
		this.scene = scene;
	}

	/** Posts each of the bodies, mails or arrays of mails, until it is answered. */
	void post(List<String> bodies) throws Exception {
		posting(bodies).join();
	}

	/** As {@link #post}, and returns at once. */
	Posting posting(List<String> bodies) {
		ExecutorService clients = Executors.newFixedThreadPool(Math.min(CLIENTS, bodies.size()));
		return new Posting(clients, bodies.stream().map((body) -> clients.submit(() -> ask(body))).toList());
	}

	private Void ask(String body) throws Exception {
		String key = UUID.randomUUID().toString();
		String path = body.startsWith("[") ? "/api/emails/batch" : "/api/emails";
		AtomicBoolean answered = new AtomicBoolean();
		try (Web web = new Web(this.scene.api().program().apiPort())) {
			web.use(this.scene.tenant().key());
			Poll.until(PATIENCE, () -> {
				try {
					Web.Answer told = web.post(path, body, key);
					if (told.status() != 503 && told.status() != 409) {
						this.acknowledged.addAll(ids(told.json(200)));
						answered.set(true);
					}
				}
				catch (IOException _) {
					// Nobody knows: it asks again.
				}
				return answered.get();
			});
		}
		return null;
	}

	private static List<String> ids(JsonNode answer) {
		return answer.has("id") ? List.of(answer.get("id").stringValue())
				: answer.get("data").valueStream().map((mail) -> mail.get("emailId").stringValue()).toList();
	}

	/** How many mails have been acknowledged so far. */
	int acknowledged() {
		return this.acknowledged.size();
	}

	/** A mail to so many recipients, each treated in this manner. */
	String mail(int number, Manner manner, int recipients, int bytes) {
		List<String> to = new ArrayList<>();
		for (int i = 0; i < recipients; i++) {
			to.add(this.name + "-" + number + "-" + i + "@" + manner.domain());
		}
		return mail(to, bytes);
	}

	/**
	 * A mail to three recipients, each at a host of its own, of whom one asks for
	 * patience.
	 */
	String mailToSeveralHosts(int number) {
		return mail(number, Manner.TAKE, (number % 50 == 0) ? Manner.SLOW_DOWN : Manner.DEFER, Manner.POSTFIX);
	}

	/** A small mail to a recipient in each of these manners. */
	String mail(int number, Manner... manners) {
		List<String> to = new ArrayList<>();
		for (Manner manner : manners) {
			to.add(this.name + "-" + number + "-" + to.size() + "@" + manner.domain());
		}
		return mail(to, 200);
	}

	private String mail(List<String> to, int bytes) {
		return JsonMapper.shared()
			.writeValueAsString(Map.of("from", "Ann <a@" + this.scene.tenant().domain() + ">", "to", to, "subject",
					this.name, "text", "All work and no play.\n".repeat(1 + bytes / 22)));
	}

	/**
	 * Writes down what stands where, now that a program is dead and the database is done
	 * with what it was asked for last.
	 */
	Map<String, String> left() throws Exception {
		Poll.until(PATIENCE,
				() -> this.scene
					.rows("select pid from pg_stat_activity where usename = '" + Database.APP + "' and state <> 'idle'")
					.isEmpty());
		for (List<String> row : deliveries()) {
			this.left.put(row.getFirst(), row.get(1));
		}
		return this.left;
	}

	/** Waits until all of it has come to an end, and judges what was seen. */
	Verdict verdict() throws Exception {
		awaitOpen(0);
		int lost = 0;
		int twice = 0;
		int possible = 0;
		List<List<String>> rows = deliveries();
		Map<String, List<Integer>> given = this.scene.copies(this.name);
		assertThat(rows.stream().map(List::getFirst)).as("nobody else").containsAll(given.keySet());
		assertThat(rows.stream().map((row) -> row.get(4)).collect(Collectors.toSet())).isEqualTo(this.acknowledged);
		for (List<String> row : rows) {
			String recipient = row.getFirst();
			boolean refused = Manner.of(recipient) == Manner.REFUSE;
			List<Integer> copies = given.getOrDefault(recipient, List.of());
			int ambiguous = Integer.parseInt(row.get(2));
			assertThat(row.get(3)).as(recipient).isEqualTo(refused ? "bounced" : "delivered");
			assertThat(row.get(5)).as("ends told for " + recipient).isEqualTo("1");
			assertThat(copies).as("copies for " + recipient).hasSizeLessThanOrEqualTo(1 + ambiguous);
			assertThat(copies.stream().distinct()).as("copies alike for " + recipient).hasSizeLessThanOrEqualTo(1);
			lost += (copies.isEmpty() && !refused) ? 1 : 0;
			twice += (copies.size() > 1) ? 1 : 0;
			possible += ambiguous;
		}
		return new Verdict(rows.size(), lost, twice, possible);
	}

	/**
	 * Returns once no more than so many deliveries are open, as long as there are fewer
	 * and fewer of them.
	 */
	void awaitOpen(int most) throws Exception {
		for (int open = open(); open > most; open = open()) {
			int before = open;
			Poll.until(PATIENCE, NOW_AND_THEN, () -> open() < before);
		}
	}

	private int open() throws Exception {
		return Integer
			.parseInt(this.scene.rows("select count(*) from delivery where phase in ('queued', 'leased', 'in_data')")
				.getFirst()
				.getFirst());
	}

	/** How many mails there are, acknowledged or not. */
	int mails() throws Exception {
		return this.scene.rows("select id from email where subject = '" + this.name + "'").size();
	}

	/** By which transport its mails went, and to which addresses. */
	List<String> ways() throws Exception {
		return this.scene.rows("""
				select distinct transport || ' ' || delivery_attempt.address as way
				  from delivery_attempt join email on email.id = email_id
				 where subject = '%s' and outcome = 'delivered' order by way
				""".formatted(this.name)).stream().map(List::getFirst).toList();
	}

	/** Recipient, phase, ambiguous, status, mail, and how often its end was told. */
	private List<List<String>> deliveries() throws Exception {
		return this.scene.rows("""
				select recipient, phase, ambiguous, delivery.status, email_id,
				       (select count(*) from event where event.email_id = delivery.email_id
				           and kind in ('email.delivered', 'email.bounced') and data ->> 'recipient' = recipient)
				  from delivery join email on email.id = email_id where subject = '%s'
				""".formatted(this.name));
	}

	/** Clients that wait for their answers. */
	static final class Posting {

		private final ExecutorService clients;

		private final List<Future<Void>> answers;

		private Posting(ExecutorService clients, List<Future<Void>> answers) {
			this.clients = clients;
			this.answers = answers;
		}

		/** Returns once each of them has been answered with a success. */
		void join() throws Exception {
			for (Future<Void> answer : this.answers) {
				answer.get();
			}
			this.clients.close();
		}

	}

	/**
	 * What became of a run.
	 *
	 * @param possible attempts that ended without an answer
	 */
	record Verdict(int recipients, int lost, int twice, int possible) {
	}

}
