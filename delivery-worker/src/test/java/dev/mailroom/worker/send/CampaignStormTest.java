package dev.mailroom.worker.send;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.TestDatabase;
import dev.mailroom.campaign.Campaign;
import dev.mailroom.campaign.Campaigns;
import dev.mailroom.campaign.Status;
import dev.mailroom.worker.DeliveryWorker;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.test.EmbeddedKafkaBroker;

import static dev.mailroom.worker.send.SendEnvironment.received;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A campaign that is disturbed at random: pauses, schedules, edits, unsubscriptions, a
 * worker that comes and goes, a wiped topic and a lost dispatcher's lock. Each subscribed
 * contact gets one mail. {@code -Dmailroom.test.seed} repeats a run and
 * {@code -Dmailroom.test.contacts} sets its size.
 */
@SendEnvironment.SendingWorker
class CampaignStormTest {

	private static final long SEED = Long.getLong("mailroom.test.seed", System.nanoTime());

	private static final int CONTACTS = Integer.getInteger("mailroom.test.contacts", 2000);

	/** Mails per minute: the campaign lasts as long as its disturbances. */
	private static final int PACE = 18_000;

	private static final String SUFFIX = "@storm.test";

	@Autowired
	Campaigns campaigns;

	@Autowired
	EmbeddedKafkaBroker broker;

	private final Scope sender = Given.sender("unlimited");

	private final Scope scope = Scope.of(this.sender.account());

	private final UUID book = UUID.randomUUID();

	private final Random random = new Random(SEED);

	/** Contacts that may get no mail because they left or were suppressed meanwhile. */
	private final Set<String> left = new HashSet<>();

	private @Nullable ConfigurableApplicationContext secondWorker;

	private UUID campaign;

	@AfterEach
	void stopSecondWorker() {
		if (this.secondWorker != null) {
			this.secondWorker.close();
		}
	}

	@Test
	void eachSubscribedContactGetsOneMailWhateverHappensMeanwhile() {
		String run = "run with -Dmailroom.test.seed=" + SEED + " -Dmailroom.test.contacts=" + CONTACTS;
		System.out.println(run);
		try {
			storm();
			verify(run);
		}
		catch (RuntimeException ex) {
			throw new IllegalStateException(run, ex);
		}
	}

	private void storm() {
		createContacts();
		Campaign.Form form = new Campaign.Form("n", "Ann <a@" + this.sender.domain() + ".test>", List.of(),
				"Hello {{first_name}}", this.book, null, "<p>{{first_name|friend}}</p>", null, null, null, PACE);
		this.campaign = Await.await(this.campaigns.create(this.scope, form)).id();
		Await.await(this.campaigns.start(this.scope, this.campaign));
		List<Runnable> disturbances = new ArrayList<>(Collections.nCopies(6, this::pauseAndResume));
		disturbances.addAll(Collections.nCopies(4, this::unsubscribe));
		disturbances.addAll(Collections.nCopies(3, this::editContacts));
		disturbances.addAll(Collections.nCopies(2, this::restartSecondWorker));
		disturbances.addAll(Collections.nCopies(2, this::addContact));
		disturbances.addAll(List.of(this::wipeTopic, this::loseDispatcherLock, this::reschedule, this::suppress));
		Collections.shuffle(disturbances, this.random);
		for (Runnable disturbance : disturbances) {
			pauseFor(this.random.nextInt(300));
			disturbance.run();
		}
		SendEnvironment.await("the end of the campaign", () -> status() == Status.SENT);
	}

	private void verify(String run) {
		Map<String, Integer> copies = new HashMap<>();
		received(SUFFIX).forEach((mail) -> copies.merge(mail.rcptTo(), 1, Integer::sum));
		Map<String, Integer> allowed = new HashMap<>();
		Given
			.rows("select recipient || ' ' || 1 + ambiguous from delivery where account_id = '%s'",
					this.scope.account())
			.forEach((row) -> allowed.put(row.substring(0, row.indexOf(' ')),
					Integer.valueOf(row.substring(row.indexOf(' ') + 1))));
		for (int i = 0; i < CONTACTS; i++) {
			String address = i + SUFFIX;
			int minimum = (i % 50 == 0 || this.left.contains(address)) ? 0 : 1;
			int maximum = (i % 50 == 0) ? 0 : allowed.getOrDefault(address, 1);
			assertThat(copies.getOrDefault(address, 0)).as("copies for %s, %s", address, run)
				.isBetween(minimum, maximum);
		}
		assertThat(copies.keySet()).as(run).noneMatch((address) -> address.startsWith("late"));
		Campaign sent = Await.await(this.campaigns.find(this.scope, this.campaign));
		assertThat(sent.sentCount()).as(run).isEqualTo(copies.size());
		assertThat(sent.sentCount() + sent.skippedCount()).as(run).isEqualTo(CONTACTS);
	}

	/**
	 * After the pause has returned, only mails that had passed the fence are handed over.
	 */
	private void pauseAndResume() {
		if (!attempt(this.campaigns.pause(this.scope, this.campaign))) {
			return;
		}
		Set<String> permitted = new HashSet<>(Given
			.rows("select recipient from queue where campaign_id = '%s' and data_until is not null", this.campaign));
		received(SUFFIX).forEach((mail) -> permitted.add(mail.rcptTo()));
		pauseFor(this.random.nextInt(400));
		assertThat(received(SUFFIX)).as("mails during the pause, seed %s", SEED)
			.allMatch((mail) -> permitted.contains(mail.rcptTo()));
		attempt(this.campaigns.resume(this.scope, this.campaign));
	}

	private void reschedule() {
		if (attempt(this.campaigns.pause(this.scope, this.campaign))) {
			attempt(this.campaigns.schedule(this.scope, this.campaign, Instant.now().plusMillis(300).toString()));
			attempt(this.campaigns.update(this.scope, this.campaign,
					(form) -> new Campaign.Form("renamed", form.from(), form.replyTo(), form.subject(),
							form.contactBookId(), form.templateId(), form.htmlContent(), form.textContent(),
							form.sendAt(), form.filter(), form.pace())));
			Await.until("the scheduled start", () -> status() == Status.RUNNING || status() == Status.SENT);
		}
	}

	private void unsubscribe() {
		for (int i = 0; i < 10; i++) {
			String address = this.random.nextInt(CONTACTS) + SUFFIX;
			this.left.add(address);
			Given.run("update contact set subscribed = false where account_id = '%s' and email = '%s'",
					this.scope.account(), address);
		}
	}

	private void suppress() {
		String address = this.random.nextInt(CONTACTS) + SUFFIX;
		this.left.add(address);
		Given.run("insert into suppression (id, account_id, address, reason, created_at) "
				+ "values (gen_random_uuid(), '%s', '%s', 'manual', now())", this.scope.account(), address);
	}

	private void editContacts() {
		Given.run("update contact set first_name = 'Edited', updated_at = now() where account_id = '%s' "
				+ "and email like '%%7%s'", this.scope.account(), SUFFIX);
	}

	private void addContact() {
		contacts("'late' || gen_random_uuid()", "now()", 1);
	}

	private void restartSecondWorker() {
		if (this.secondWorker != null) {
			this.secondWorker.close();
			this.secondWorker = null;
			return;
		}
		this.secondWorker = new SpringApplicationBuilder(DeliveryWorker.class).web(WebApplicationType.NONE)
			.initializers(new TestDatabase(), new SendEnvironment())
			.properties("spring.config.name=" + DeliveryWorker.CONFIG, "management.server.port=-1",
					"spring.jmx.enabled=false", "spring.kafka.bootstrap-servers=" + this.broker.getBrokersAsString())
			.run();
	}

	private void wipeTopic() {
		try (Admin admin = Admin.create(Map.of("bootstrap.servers", this.broker.getBrokersAsString()))) {
			admin.deleteTopics(List.of("mailroom.deliveries")).all().toCompletionStage().toCompletableFuture().join();
		}
	}

	/** Ends the connection that holds the lock; another worker may take it. */
	private void loseDispatcherLock() {
		Given.run("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted "
				+ "and objsubid = 1 and objid = 62457666");
	}

	private Status status() {
		return Await.await(this.campaigns.find(this.scope, this.campaign)).status();
	}

	/** Whether the transition was permitted; the campaign may have ended. */
	private static boolean attempt(Mono<?> transition) {
		try {
			Await.await(transition);
			return true;
		}
		catch (Refused refused) {
			return false;
		}
	}

	/** Every fiftieth contact is unsubscribed from the start. */
	private void createContacts() {
		Given.run("insert into contact_book (id, account_id, name, created_at, updated_at) "
				+ "values ('%s', '%s', 'Friends', now(), now())", this.book, this.scope.account());
		contacts("number - 1", "now() - (number / 700) * interval '1 hour'", CONTACTS);
	}

	private void contacts(String local, String createdAt, int count) {
		Given.run(
				"insert into contact (id, account_id, contact_book_id, email, email_key, first_name, subscribed, "
						+ "created_at, updated_at) select gen_random_uuid(), '%1$s', '%2$s', address, address, 'Ann', "
						+ "subscribed, created_at, now() from (select (%3$s)::text || '%4$s' as address, "
						+ "number %% 50 <> 1 or %6$s = 1 as subscribed, %5$s as created_at "
						+ "from generate_series(1, %6$s) as number) as entry",
				this.scope.account(), this.book, local, SUFFIX, createdAt, count);
	}

	private static void pauseFor(int millis) {
		LockSupport.parkNanos(millis * 1_000_000L);
	}

}
