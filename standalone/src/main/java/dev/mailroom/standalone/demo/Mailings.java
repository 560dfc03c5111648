package dev.mailroom.standalone.demo;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import tools.jackson.databind.JsonNode;

/** The transactional mails of the last 30 days, and those that are still to be sent. */
final class Mailings {

	private static final int DAYS = 30;

	private static final int WEEKDAY_MAILS = 26;

	private static final int WEEKEND_MAILS = 11;

	private static final int MINUTES_OF_DAY = 24 * 60;

	private static final int BATCH = 100;

	private static final int CUSTOMERS = 420;

	/** Numbers of the customers, apart from those of the contacts. */
	private static final int FIRST_CUSTOMER = 3900;

	private final DemoAccount account;

	private final History history;

	private final String sandbox;

	private final Instant now;

	private final Random random = new Random(8);

	Mailings(DemoAccount account, History history, String sandbox, Instant now) {
		this.account = account;
		this.history = history;
		this.sandbox = sandbox;
		this.now = now;
	}

	/**
	 * Sends all mails, those that take several attempts first; their times are moved
	 * later.
	 */
	void send(Newsletters meanwhile) throws IOException, InterruptedException, SQLException {
		sendWithTrouble();
		sendToSandbox();
		sendLater();
		List<Instant> times = times();
		for (int from = 0; from < times.size(); from += BATCH) {
			List<Instant> part = times.subList(from, Math.min(times.size(), from + BATCH));
			List<Object> mails = new ArrayList<>();
			for (int i = 0; i < part.size(); i++) {
				DemoPerson person = DemoPerson.of(FIRST_CUSTOMER + this.random.nextInt(CUSTOMERS));
				mails.add(Letters.transactional(person, from + i, this.random, this.account.templates()));
			}
			JsonNode sent = this.account.send("/emails/batch", mails).get("data");
			for (int i = 0; i < part.size(); i++) {
				this.history.plan(sent.get(i).get("emailId").asString(), part.get(i));
			}
			meanwhile.pausePartlySent();
			this.history.retryNow();
		}
	}

	/** Returns ascending times with fewer mails at night and on weekends. */
	private List<Instant> times() {
		List<Instant> times = new ArrayList<>();
		for (int day = DAYS - 1; day >= 0; day--) {
			Instant midnight = this.now.truncatedTo(ChronoUnit.DAYS).minus(day, ChronoUnit.DAYS);
			boolean weekend = midnight.atZone(ZoneOffset.UTC).getDayOfWeek().getValue() > 5;
			int mails = (weekend ? WEEKEND_MAILS : WEEKDAY_MAILS) + this.random.nextInt(10);
			for (int i = 0; i < mails; i++) {
				double noon = (this.random.nextDouble() + this.random.nextDouble() + this.random.nextDouble()) / 3;
				times.add(midnight.plusMillis((long) (noon * MINUTES_OF_DAY * 60_000)));
			}
		}
		Instant latest = this.now.minus(4, ChronoUnit.MINUTES);
		return times.stream().filter((time) -> time.isBefore(latest)).sorted().toList();
	}

	private void sendToSandbox() throws IOException, InterruptedException, SQLException {
		int hours = 49;
		for (String name : List.of("delivered", "bounced", "deferred", "complained", "suppressed", "opened",
				"clicked")) {
			send(Letters.note(name + "@" + this.sandbox, "Trying the sandbox", "Expected: " + name),
					Duration.ofHours(hours--));
		}
	}

	private void sendWithTrouble() throws IOException, InterruptedException, SQLException {
		send(Letters.note("Rowan Pike <rowan.pike@slow.example>", "Your order 21388", "Thank you."),
				Duration.ofMinutes(41));
		send(Letters.note("Ada Rowe <ada@" + DemoOperator.HELD + ">", "Your order 21402", "Thank you."),
				Duration.ofMinutes(12));
		send(Letters.note("desk@" + DemoOperator.HELD, "Invoice 21395", "Your invoice."), Duration.ofMinutes(9));
		send(Letters.note("books@slow.example", "Invoice 21391", "Your invoice."), Duration.ofMinutes(23));
		send(Letters.note("Ines Duarte <ines@down.example>", "Your order 20117", "Thank you."), Duration.ofDays(6));
		send(Letters.note("library@down.example", "Your order 20230", "Thank you."), Duration.ofDays(5));
		for (int number : new int[] { 4301, 4302, 4305 }) {
			send(Letters.note(DemoPerson.of(number).mailbox(), "Your order " + (17_000 + number), "Thank you."),
					Duration.ofHours(number % 100));
		}
	}

	private void sendLater() throws IOException, InterruptedException, SQLException {
		for (int i = 1; i <= 6; i++) {
			Map<String, Object> mail = Letters.note(DemoPerson.of(4310 + i).mailbox(),
					"Your seat at the spring reading", "We look forward to seeing you.");
			mail.put("send_at", this.now.plus(i * 20L, ChronoUnit.HOURS).toString());
			send(mail, Duration.ofHours(i));
		}
		Map<String, Object> unreadable = Letters.note("Marrow & Sons <desk@marrow.example>", "Proof of your cover",
				"The proof is attached.");
		unreadable.put("send_at", this.now.plus(2, ChronoUnit.HOURS).toString());
		this.history.loseContent(send(unreadable, Duration.ofHours(28)));
		for (int i = 1; i <= 3; i++) {
			Map<String, Object> mail = Letters.note(DemoPerson.of(4320 + i).mailbox(), "The reading is postponed",
					"A new date follows.");
			mail.put("send_at", this.now.plus(2, ChronoUnit.DAYS).toString());
			String id = send(mail, Duration.ofDays(3L * i));
			this.account.send("/emails/" + id + "/cancel", Map.of());
		}
	}

	private String send(Map<String, Object> mail, Duration age) throws IOException, InterruptedException, SQLException {
		String id = this.account.send("/emails", mail).get("id").asString();
		this.history.plan(id, this.now.minus(age));
		return id;
	}

}
