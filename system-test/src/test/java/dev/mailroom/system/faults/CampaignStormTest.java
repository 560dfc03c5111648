package dev.mailroom.system.faults;

import java.time.Duration;
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
import java.util.concurrent.TimeUnit;

import dev.mailroom.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Isolated;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A campaign that is disturbed at random: kills of the worker (SIGKILL), a wiped topic, a
 * lost dispatcher's lock, pauses, schedules, edits and unsubscriptions. Each subscribed
 * contact gets one mail, and further copies only for attempts without a reply; a contact
 * that leaves during a pause gets none. The counts equal a recount, and the quota has
 * each mail once. {@code -Dfaults.campaign.seed} repeats a run and
 * {@code -Dfaults.campaign.contacts} sets its size.
 */
@Tag("nightly")
@ExtendWith(SharedInstallation.class)
@Isolated("short leases need the whole machine")
class CampaignStormTest {

	private static final long SEED = Long.getLong("faults.campaign.seed", System.nanoTime());

	private static final int CONTACTS = Integer.getInteger("faults.campaign.contacts", 3000);

	/** Mails per minute: the campaign lasts as long as its disturbances. */
	private static final int PACE = 9_000;

	private static final Duration TIMEOUT = Duration.ofMinutes(5);

	/** The counts of the API, counted one by one from the mails and the recipients. */
	private static final String RECOUNT = """
			select count(*) filter (where status in ('sent', 'delivered', 'bounced', 'complained')),
			       count(*) filter (where status in ('delivered', 'complained')),
			       count(*) filter (where status = 'bounced'), count(*) filter (where status = 'complained'),
			       count(*) filter (where status = 'failed' and last_event not in ('suppressed', 'cancelled')),
			       count(*) filter (where open_count > 0), count(*) filter (where click_count > 0),
			       (select count(*) from campaign_recipient where campaign_id = '%1$s' and unsubscribed_at is not null),
			       count(*) filter (where last_event in ('suppressed', 'cancelled'))
			       + (select count(*) from campaign_recipient where campaign_id = '%1$s' and email_id is null)
			  from email where campaign_id = '%1$s'
			""";

	private static Installation installation;

	private final Random random = new Random(SEED);

	private final String run = "run with -Dfaults.campaign.seed=" + SEED + " -Dfaults.campaign.contacts=" + CONTACTS;

	private final String name = UUID.randomUUID().toString().substring(0, 8);

	/** Contacts that may get no mail because they left or were suppressed meanwhile. */
	private final Set<String> left = new HashSet<>();

	/** Contacts that left during a pause, before anything was sent to them. */
	private final Set<String> barred = new HashSet<>();

	private long usedBefore;

	private String account = "";

	private String book = "";

	private String campaign = "";

	private CampaignClient client;

	@BeforeAll
	static void start(Installation shared) {
		installation = shared;
	}

	@BeforeEach
	void signIn() throws Exception {
		installation.restore();
		installation.use(SendMode.RELAY);
		this.client = new CampaignClient(installation.api().program().apiPort());
		this.account = installation.rows("select account_id from domain where name = 'sender.test'")
			.getFirst()
			.getFirst();
	}

	@AfterEach
	void close() {
		this.client.close();
	}

	@Test
	void eachSubscribedContactGetsOneMailWhateverHappensMeanwhile() throws Exception {
		System.out.println(this.run);
		createContacts();
		this.usedBefore = used();
		startCampaign();
		List<Disturbance> disturbances = new ArrayList<>(Collections.nCopies(4, this::pauseAndResume));
		disturbances.addAll(Collections.nCopies(2, this::killWorker));
		disturbances.addAll(Collections.nCopies(2, this::unsubscribe));
		disturbances.addAll(Collections.nCopies(2, this::unsubscribeDuringAPause));
		disturbances.addAll(Collections.nCopies(2, () -> installation.topic().delete()));
		disturbances.addAll(List.of(this::editContacts, this::addContact, this::loseDispatcherLock, this::reschedule,
				this::suppress));
		Collections.shuffle(disturbances, this.random);
		for (Disturbance disturbance : disturbances) {
			pauseFor(300);
			disturbance.run();
		}
		Await.until("the campaign is sent", TIMEOUT, () -> this.client.status().equals("sent"));
		verify();
	}

	private void verify() throws Exception {
		Map<String, List<Integer>> received = installation.copies(this.name);
		Map<String, Integer> ambiguous = new HashMap<>();
		installation.rows("select recipient, ambiguous from delivery where recipient like '" + this.name + "-%'")
			.forEach((row) -> ambiguous.put(row.getFirst(), Integer.valueOf(row.getLast())));
		for (int i = 0; i < CONTACTS; i++) {
			String address = address(i);
			List<Integer> copies = received.getOrDefault(address, List.of());
			int minimum = (isUnsubscribed(i) || this.left.contains(address)) ? 0 : 1;
			int maximum = (isUnsubscribed(i) || this.barred.contains(address)) ? 0
					: 1 + ambiguous.getOrDefault(address, 0);
			assertThat(copies.size()).as("copies for %s, %s", address, this.run).isBetween(minimum, maximum);
			assertThat(copies.stream().distinct()).as("equal copies for %s, %s", address, this.run)
				.hasSizeLessThanOrEqualTo(1);
		}
		assertThat(received.keySet()).as(this.run).noneMatch((address) -> address.contains("late"));
		JsonNode sent = this.client.find();
		long certain = received.keySet().stream().filter((address) -> !this.left.contains(address)).count();
		assertThat(sent.get("sent_count").longValue()).as(this.run).isBetween(certain, (long) received.size());
		assertThat(sent.get("sent_count").longValue() + sent.get("skipped_count").longValue()).as(this.run)
			.isEqualTo(CONTACTS);
		verifyCounts(sent);
		long again = received.values().stream().filter((copies) -> copies.size() > 1).count();
		System.out.printf("%d of %d contacts got a mail, %d of them twice; %d attempts without a reply%n",
				received.size(), CONTACTS, again, ambiguous.values().stream().mapToInt(Integer::intValue).sum());
	}

	/** Compares the counts of the API with the rows that they count. */
	private void verifyCounts(JsonNode sent) throws Exception {
		List<Object> counted = new ArrayList<>();
		for (String count : List.of("sent", "delivered", "bounced", "complained", "failed", "opened", "clicked",
				"unsubscribed", "skipped")) {
			counted.add(sent.get(count + "_count").asString());
		}
		assertThat(counted).as("counts, " + this.run)
			.isEqualTo(new ArrayList<Object>(installation.rows(RECOUNT.formatted(this.campaign)).getFirst()));
		assertThat(sent.get("total_contacts").longValue()).as("subscribed at the start, " + this.run)
			.isEqualTo(CONTACTS - (CONTACTS + 49) / 50);
		assertThat(rows("select count(*), count(distinct contact_id) from campaign_recipient where campaign_id = '%s'"))
			.as("contacts that were handled, " + this.run)
			.containsExactly(List.of(Integer.toString(CONTACTS), Integer.toString(CONTACTS)));
		List<List<String>> mails = rows("select count(*) from email where campaign_id = '%s'");
		assertThat(List.of(List.of(Long.toString(used() - this.usedBefore)))).as("quota, " + this.run).isEqualTo(mails);
		assertThat(rows("select count(*) from campaign_recipient where campaign_id = '%s' and email_id is not null"))
			.as(this.run)
			.isEqualTo(mails);
		assertThat(rows("select id from queue where campaign_id = '%1$s' "
				+ "union all select contact_id from campaign_audience where campaign_id = '%1$s' "
				+ "union all select campaign_id from campaign_follow_up where campaign_id = '%1$s'"))
			.as("work that is left, " + this.run)
			.isEmpty();
		assertThat(rows("select kind from event where data ->> 'id' = '%s' "
				+ "and kind in ('campaign.started', 'campaign.sent') order by id"))
			.as(this.run)
			.containsExactly(List.of("campaign.started"), List.of("campaign.sent"));
	}

	/** Rows of a query about the campaign. */
	private List<List<String>> rows(String query) throws Exception {
		return installation.rows(query.formatted(this.campaign));
	}

	private long used() throws Exception {
		return Long.parseLong(installation
			.rows("select coalesce(sum(used), 0) from quota_use where period = 'month' and account_id = '"
					+ this.account + "'")
			.getFirst()
			.getFirst());
	}

	/**
	 * After the pause has returned, only mails that had passed the fence are handed over.
	 */
	private void pauseAndResume() throws Exception {
		if (!this.client.act("pause")) {
			return;
		}
		Set<String> permitted = new HashSet<>();
		installation
			.rows("select recipient from queue where data_until is not null and campaign_id = '" + this.campaign + "'")
			.forEach((row) -> permitted.add(row.getFirst()));
		permitted.addAll(installation.copies(this.name).keySet());
		pauseFor(400);
		assertThat(installation.copies(this.name).keySet()).as("mails during the pause, " + this.run)
			.isSubsetOf(permitted);
		this.client.act("resume");
	}

	private void reschedule() throws Exception {
		if (this.client.act("pause")) {
			this.client.act("schedule", Map.of("send_at", Instant.now().plusSeconds(1).toString()));
			this.client.rename("renamed");
			Await.until("the campaign runs", TIMEOUT, () -> List.of("running", "sent").contains(this.client.status()));
		}
	}

	private void killWorker() throws Exception {
		installation.worker().kill();
		pauseFor(1000);
		installation.worker().restart();
	}

	private void unsubscribe() throws Exception {
		for (int i = 0; i < 10; i++) {
			installation.run("update contact set subscribed = false where email = '" + leaving() + "'");
		}
	}

	/**
	 * Nothing is being handed over when the contacts leave, so that those to whom nothing
	 * was sent get no mail at all.
	 */
	private void unsubscribeDuringAPause() throws Exception {
		if (!this.client.act("pause")) {
			return;
		}
		Await.until("no mail is behind the fence", TIMEOUT,
				() -> rows("select id from queue where data_until is not null and campaign_id = '%s'").isEmpty());
		unsubscribe();
		Set<String> begun = new HashSet<>(installation.copies(this.name).keySet());
		rows("select delivery.recipient from delivery join email on email.id = delivery.email_id "
				+ "left join queue on queue.id = delivery.id where email.campaign_id = '%s' "
				+ "and (queue.id is null or queue.attempt > 0)")
			.forEach((row) -> begun.add(row.getFirst()));
		this.left.stream().filter((address) -> !begun.contains(address)).forEach(this.barred::add);
		this.client.act("resume");
	}

	private void suppress() throws Exception {
		installation.run("insert into suppression (id, account_id, address, reason, created_at) values "
				+ "(gen_random_uuid(), '" + this.account + "', '" + leaving() + "', 'manual', now())");
	}

	private String leaving() {
		String address = address(this.random.nextInt(CONTACTS));
		this.left.add(address);
		return address;
	}

	private void editContacts() throws Exception {
		installation.run("update contact set first_name = 'Edited', updated_at = now() where contact_book_id = '"
				+ this.book + "' and email like '%7@%'");
	}

	private void addContact() throws Exception {
		contacts("'late-' || gen_random_uuid()", "now()", 1);
	}

	/** Ends the connection that holds the lock. */
	private void loseDispatcherLock() throws Exception {
		installation.rows("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted "
				+ "and objsubid = 1 and objid = 62457666");
	}

	private void startCampaign() throws Exception {
		Map<String, Object> form = Map.of("name", this.name, "from", "Ann <a@sender.test>", "subject",
				"Hello {{first_name}}", "contact_book_id", this.book, "html_content", "<p>{{first_name|friend}}</p>",
				"pace", PACE);
		this.campaign = this.client.create(form);
		assertThat(this.client.act("start")).isTrue();
	}

	/** Every fiftieth contact is unsubscribed from the start. */
	private void createContacts() throws Exception {
		this.book = this.client.createBook(this.name);
		contacts("number - 1", "now() - (1 + number / 700) * interval '1 hour'", CONTACTS);
	}

	private void contacts(String local, String createdAt, int count) throws Exception {
		installation
			.run("""
					insert into contact (id, account_id, contact_book_id, email, email_key, first_name, subscribed, created_at,
					                     updated_at)
					select gen_random_uuid(), '%s', '%s', address, address, 'Ann', subscribed, created_at, now()
					  from (select '%s-' || (%s) || '@take.test' as address, number %% 50 <> 1 or %6$s = 1 as subscribed,
					               %5$s as created_at
					          from generate_series(1, %6$s) as number) as entry
					"""
				.formatted(this.account, this.book, this.name, local, createdAt, count));
	}

	private String address(int contact) {
		return this.name + "-" + contact + "@take.test";
	}

	private static boolean isUnsubscribed(int contact) {
		return contact % 50 == 0;
	}

	private void pauseFor(int maxMillis) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(this.random.nextInt(maxMillis));
	}

	/** A step that disturbs the campaign. */
	private interface Disturbance {

		void run() throws Exception;

	}

}
