package dev.mailroom.system.faults;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.mailroom.system.Poll;
import dev.mailroom.system.Web;
import dev.mailroom.system.faults.Sink.Manner;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Some mails that were accepted, what the crash left of them, and what became of them in
 * the end: the ledger that every promise is held against.
 */
final class Run {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Scene scene;

	private final String name = UUID.randomUUID().toString().substring(0, 8);

	private final List<String> acknowledged = new ArrayList<>();

	private final Map<String, String> left = new HashMap<>();

	Run(Scene scene) {
		this.scene = scene;
	}

	/**
	 * Posts each of the mails by a client of its own, which asks until it is answered.
	 */
	void post(List<String> mails) throws Exception {
		posting(mails).join();
	}

	/** As {@link #post}, and returns at once. */
	Posting posting(List<String> mails) {
		ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
		return new Posting(clients, mails.stream().map((mail) -> clients.submit(() -> ask(mail))).toList());
	}

	private String ask(String mail) throws Exception {
		String key = UUID.randomUUID().toString();
		List<JsonNode> answer = new ArrayList<>();
		try (Web web = new Web(this.scene.api().program().apiPort())) {
			web.use(this.scene.tenant().key());
			Poll.until(PATIENCE, () -> {
				try {
					Web.Answer told = web.post("/api/emails", mail, key);
					if (told.status() != 503 && told.status() != 409) {
						answer.add(told.json(200));
					}
				}
				catch (IOException _) {
					// Nobody knows: it asks again.
				}
				return !answer.isEmpty();
			});
		}
		return answer.getFirst().get("id").stringValue();
	}

	/** A mail to so many recipients, each treated in this manner. */
	String mail(int number, Manner manner, int recipients, int bytes) {
		List<String> to = new ArrayList<>();
		for (int i = 0; i < recipients; i++) {
			to.add(this.name + "-" + number + "-" + i + "@" + manner.domain());
		}
		return JsonMapper.shared()
			.writeValueAsString(Map.of("from", "Ann <a@" + this.scene.tenant().domain() + ">", "to", to, "subject",
					this.name, "text", "All work and no play.\n".repeat(1 + bytes / 22)));
	}

	/** Writes down what stands where, now that a program is dead. */
	Map<String, String> left() throws Exception {
		for (List<String> row : deliveries()) {
			this.left.put(row.getFirst(), row.get(1));
		}
		return this.left;
	}

	/** Waits until all of it has come to an end, and judges what was seen. */
	Verdict verdict() throws Exception {
		Poll.until(PATIENCE, () -> deliveries().stream().allMatch((row) -> row.get(1).equals("done")));
		int lost = 0;
		int twice = 0;
		int possible = 0;
		List<List<String>> rows = deliveries();
		assertThat(this.acknowledged).allSatisfy((id) -> assertThat(rows).anyMatch((row) -> row.get(4).equals(id)));
		for (List<String> row : rows) {
			String recipient = row.getFirst();
			boolean refused = Manner.of(recipient) == Manner.REFUSE;
			int copies = this.scene.sink().copies(recipient);
			int ambiguous = Integer.parseInt(row.get(2));
			assertThat(row.get(3)).as(recipient).isEqualTo(refused ? "bounced" : "delivered");
			assertThat(row.get(5)).as("ends told for " + recipient).isEqualTo("1");
			assertThat(copies).as("copies for " + recipient).isLessThanOrEqualTo(1 + ambiguous);
			assertThat(this.scene.sink().alike(recipient)).as("copies alike for " + recipient).isTrue();
			lost += (copies == 0 && !refused) ? 1 : 0;
			twice += (copies > 1) ? 1 : 0;
			possible += ambiguous;
		}
		return new Verdict(rows.size(), lost, twice, possible);
	}

	/** How many mails there are, acknowledged or not. */
	int mails() throws Exception {
		return this.scene.rows("select id from email where subject = '" + this.name + "'").size();
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
	final class Posting {

		private final ExecutorService clients;

		private final List<Future<String>> answers;

		private Posting(ExecutorService clients, List<Future<String>> answers) {
			this.clients = clients;
			this.answers = answers;
		}

		/** Returns once each of them has been answered with a success. */
		void join() throws Exception {
			for (Future<String> answer : this.answers) {
				Run.this.acknowledged.add(answer.get());
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
