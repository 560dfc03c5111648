package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Contact books and campaigns: finished, running, paused, scheduled and drafts. */
final class Newsletters {

	private static final int READERS = 1200;

	private static final int GUESTS = 330;

	/** Contacts of one request. */
	private static final int CHUNK = 600;

	private static final List<String> INTERESTS = List.of("poetry", "essays", "novels");

	private static final String TEASER = "A short letter from the harbour, with what we print, what we read and where "
			+ "to find us.";

	private static final String SENDER = "Quillmoor Press <letters@" + Letters.NEWS_DOMAIN + ">";

	/**
	 * Mails per minute until the account is complete: slow enough that a campaign is not
	 * finished before it is paused.
	 */
	private static final int PACE = 900;

	/** Mails after which an unfinished campaign is paused. */
	private static final int PART = 60;

	/** Mails per minute afterwards, slow enough to watch the campaign. */
	private static final int WATCHED_PACE = 12;

	private static final Duration PAUSE_TIMEOUT = Duration.ofMinutes(5);

	private final DemoAccount account;

	private final History history;

	private final Instant now;

	private final Map<String, String> books = new HashMap<>();

	private final List<String> unfinished = new ArrayList<>();

	private final List<String> finishing = new ArrayList<>();

	private String running = "";

	Newsletters(DemoAccount account, History history, Instant now) {
		this.account = account;
		this.history = history;
		this.now = now;
	}

	void fillBooks() throws IOException, InterruptedException, SQLException {
		fillBook("Readers", 0, READERS);
		fillBook("Spring fair guests", READERS, GUESTS);
		this.history.moveContacts();
	}

	private void fillBook(String name, int first, int count) throws IOException, InterruptedException {
		String book = this.account.post("/contact-books", Map.of("name", name)).at("/data/contactBook/id").asString();
		this.books.put(name, book);
		for (int from = 0; from < count; from += CHUNK) {
			List<Object> contacts = new ArrayList<>();
			for (int i = from; i < Math.min(count, from + CHUNK); i++) {
				contacts.add(Letters.contact(DemoPerson.of(first + i), i, INTERESTS.get(i % INTERESTS.size())));
			}
			this.account.post("/contact-books/" + book + "/contacts/bulk", contacts);
		}
	}

	/** Starts the campaigns that are not finished when the account is complete. */
	void startUnfinished() throws IOException, InterruptedException, SQLException {
		String paused = create("Autumn novels", "The novels of this autumn", "Readers",
				Map.of("filter", filter("novels"), "pace", PACE));
		this.running = create("Essay of the month", "On waiting for the ferry", "Readers",
				Map.of("filter", filter("essays"), "pace", PACE));
		this.unfinished.addAll(List.of(paused, this.running));
		start(paused, Duration.ofHours(21), Duration.ofMillis(900));
		start(this.running, Duration.ofMinutes(34), Duration.ofMillis(2500));
	}

	/**
	 * Starts the campaigns that are finished when the account is complete, which are sent
	 * while the other mail is, and creates those that are not started.
	 */
	void startFinished() throws IOException, InterruptedException, SQLException {
		String fair = create("Spring fair", "Meet us at the spring fair", "Spring fair guests", Map.of());
		String poems = create("Poems for March", "Nine poems and a ferry timetable", "Readers",
				Map.of("filter", filter("poetry")));
		start(fair, Duration.ofDays(24).minusHours(3), Duration.ofMillis(700));
		start(poems, Duration.ofDays(9).plusHours(2), Duration.ofMillis(1100));
		create("Summer catalogue", "The summer catalogue is here", "Readers",
				Map.of("send_at", this.now.plus(19, ChronoUnit.HOURS).truncatedTo(ChronoUnit.HOURS).toString()));
		create("Readers' survey", "Three questions", "Readers", Map.of());
		create("Second-hand week", "Old books, new owners", "Spring fair guests", Map.of());
		this.finishing.addAll(List.of(fair, poems));
	}

	void awaitFinished() throws IOException, InterruptedException, SQLException {
		for (String campaign : this.finishing) {
			this.history.awaitSent(campaign);
		}
	}

	/** Pauses the unfinished campaigns that have sent a part of their mails. */
	void pausePartlySent() throws IOException, InterruptedException, SQLException {
		for (String campaign : List.copyOf(this.unfinished)) {
			if (this.history.settled(campaign) >= PART) {
				this.account.post("/campaigns/" + campaign + "/pause", Map.of());
				this.unfinished.remove(campaign);
			}
		}
	}

	/** Waits until the unfinished campaigns are paused. */
	void awaitPaused() throws IOException, InterruptedException, SQLException {
		long deadline = System.nanoTime() + PAUSE_TIMEOUT.toNanos();
		while (!this.unfinished.isEmpty()) {
			if (System.nanoTime() > deadline) {
				throw new IOException("The campaigns of the demo account did not send their first mails");
			}
			pausePartlySent();
			this.history.retryNow();
			TimeUnit.MILLISECONDS.sleep(100);
		}
	}

	/** Resumes one of them at a pace that can be watched. */
	void resume() throws IOException, InterruptedException, SQLException {
		this.history.slowDown(this.running, WATCHED_PACE);
		this.account.post("/campaigns/" + this.running + "/resume", Map.of());
		this.history.spaceOut(this.running, WATCHED_PACE);
	}

	private String create(String name, String subject, String book, Map<String, Object> fields)
			throws IOException, InterruptedException {
		Map<String, Object> campaign = new HashMap<>(fields);
		campaign.put("name", name);
		campaign.put("subject", subject);
		campaign.put("from", SENDER);
		campaign.put("contact_book_id", this.books.get(book));
		campaign.put("html_content", Letters.letter(subject, TEASER, DemoRecipients.path(name)));
		campaign.put("text_content", Letters.letterText(subject, TEASER, DemoRecipients.path(name)));
		return this.account.post("/campaigns", campaign).at("/data/campaign/id").asString();
	}

	private static Map<String, Object> filter(String interest) {
		return Map.of("property", "interest", "equals", interest);
	}

	private void start(String campaign, Duration age, Duration spacing)
			throws IOException, InterruptedException, SQLException {
		this.account.post("/campaigns/" + campaign + "/start", Map.of());
		this.history.planCampaign(campaign, this.now.minus(age), spacing);
	}

}
