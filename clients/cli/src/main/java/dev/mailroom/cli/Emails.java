package dev.mailroom.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of sent mails. */
@Command(name = "emails", addMethodSubcommands = false, description = "List, show, cancel and await mails.")
final class Emails {

	private static final Set<String> FINAL = Set.of("delivered", "bounced", "complained", "failed");

	private static final int LONGEST_SUBJECT = 50;

	private static final long INTERVAL_MS = 500;

	private final Session session;

	Emails(Session session) {
		this.session = session;
	}

	@Command(description = "List mails, newest first.")
	int list(
			@Option(names = "--status", paramLabel = "STATUS",
					description = "pending, sent, delivered, bounced, complained or failed.") @Nullable String status,
			@Option(names = "--domain", paramLabel = "NAME",
					description = "The id or name of a domain.") @Nullable String domain,
			@Option(names = "--limit", paramLabel = "NUMBER", defaultValue = "50",
					description = "The largest number of mails, 50 by default.") int limit) {
		Api api = this.session.api();
		Map<String, @Nullable Object> query = new LinkedHashMap<>();
		query.put("status", status);
		query.put("domain_id", (domain != null) ? api.id("/domains", "domains", domain) : null);
		List<Value> mails = api.list(Api.query("/emails/logs", query), "emails", limit);
		Output output = this.session.output();
		output.table(mails, List.of("ID", "CREATED", "STATUS", "TO", "SUBJECT"),
				mails.stream()
					.map((mail) -> List.of(mail.at("id").text(), mail.at("created_at").time(),
							output.status(mail.at("status").text()), mail.at("to_emails").joined(),
							Output.cut(mail.at("subject").text(), LONGEST_SUBJECT)))
					.toList());
		return 0;
	}

	@Command(description = "Show a mail, its recipients and its events.")
	int get(@Parameters(paramLabel = "ID", description = "The id of the mail.") String id) {
		Api api = this.session.api();
		Value mail = api.get(Api.path("/emails", id));
		Output output = this.session.output();
		if (output.isJson()) {
			output.json(mail.it());
			return 0;
		}
		List<String> lines = new ArrayList<>(List.of("Id       " + mail.at("id").text(),
				"From     " + mail.at("from").text(), "To       " + mail.at("to").joined(),
				"Subject  " + mail.at("subject").text(), "Status   " + output.status(mail.at("status").text()),
				"Created  " + mail.at("created_at").time(), ""));
		for (Value recipient : mail.at("recipients").list()) {
			lines.add(recipient.at("email").text() + "  " + output.status(recipient.at("status").text()) + "  "
					+ recipient.at("reply").text());
		}
		lines.add("");
		List<Value> events = new ArrayList<>(api.list(Api.path("/emails", id, "events"), "events", 100));
		Collections.reverse(events);
		events.forEach((event) -> lines.add(Events.line(output, event)));
		output.result(mail.it(), lines.toArray(String[]::new));
		return 0;
	}

	@Command(description = "Cancel a scheduled mail.")
	int cancel(@Parameters(paramLabel = "ID", description = "The id of the mail.") String id) {
		Value cancelled = this.session.api().post(Api.path("/emails", id, "cancel"), null);
		this.session.output().result(cancelled.it(), "Cancelled " + Output.clean(id));
		return 0;
	}

	@Command(name = "wait", description = "Wait until a mail is delivered. Exit code 8 if it is not.")
	int await(@Parameters(paramLabel = "ID", description = "The id of the mail.") String id,
			@Option(names = "--timeout", paramLabel = "TIME", defaultValue = "2m",
					description = "The longest time to wait, two minutes by default.") Duration timeout) {
		return await(this.session, this.session.api(), id, timeout);
	}

	/** Waits for a mail, and shows the states that it passes. */
	static int await(Session session, Api api, String id, Duration limit) {
		Output output = session.output();
		long start = System.nanoTime();
		Set<String> states = new LinkedHashSet<>(List.of("accepted"));
		while (true) {
			Value mail = api.get(Api.path("/emails", id));
			String status = mail.at("status").text();
			if (!status.equals("pending")) {
				states.add(status);
			}
			else if (!mail.at("last_event").raw().equals("queued")) {
				states.add(mail.at("last_event").text());
			}
			Duration took = Duration.ofNanos(System.nanoTime() - start);
			String line = Output.clean(id) + "  " + String.join(" → ", states.stream().map(output::status).toList())
					+ "  " + reply(mail) + "  " + String.format(Locale.ROOT, "%.1f s", took.toMillis() / 1000.0);
			if (FINAL.contains(status)) {
				output.draw(List.of());
				output.result(mail.it(), line);
				return status.equals("delivered") ? 0 : Failure.IN_VAIN;
			}
			if (took.compareTo(limit) >= 0) {
				throw new Failure(Failure.IN_VAIN, "wait_timeout",
						"The mail " + Output.clean(id) + " is still " + status);
			}
			output.draw(List.of(line));
			pause(INTERVAL_MS);
		}
	}

	private static String reply(Value mail) {
		return mail.at("recipients")
			.list()
			.stream()
			.map((recipient) -> recipient.at("reply").text())
			.filter((reply) -> !reply.isEmpty())
			.findFirst()
			.orElse("");
	}

	static void pause(long millis) {
		try {
			Thread.sleep(millis);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new Failure(Failure.IN_VAIN, "interrupted", "The wait was interrupted");
		}
	}

}
