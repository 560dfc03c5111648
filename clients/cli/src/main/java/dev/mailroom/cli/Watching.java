package dev.mailroom.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.mailroom.sdk.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that show events, and those that cause them for tests. */
@Command(name = "mailroom", addMethodSubcommands = false)
final class Watching {

	private static final List<String> OUTCOMES = List.of("delivered", "bounced", "deferred", "complained", "suppressed",
			"opened", "clicked");

	private static final Pattern EARLIER = Pattern.compile("\\{\\{ *([A-Za-z0-9_.]+) *}}");

	private final Session session;

	Watching(Session session) {
		this.session = session;
	}

	@Command(description = "Print the events of the last 30 days, oldest first, or with --follow those to come.")
	int logs(@Option(names = "--follow", description = "Print events as they happen, until ^C.") boolean follow,
			@Option(names = "--type", split = ",", paramLabel = "KIND",
					description = "Kinds of events, or groups such as 'email.*'.") @Nullable List<String> types,
			@Option(names = "--since", paramLabel = "TIME",
					description = "Without --follow, only events of this time, such as 1h.") @Nullable Duration since,
			@Option(names = "--count", paramLabel = "NUMBER", defaultValue = "0",
					description = "End after this number of events.") int count) {
		Api api = this.session.api();
		int[] left = { (count > 0) ? count : -1 };
		if (follow) {
			new EventStream(api, "/events", Map.of(), null).read(this.session.output(),
					(message) -> print(message.data(), types, left));
			return 0;
		}
		Instant from = (since != null) ? Instant.now().minus(since) : Instant.EPOCH;
		String after = "";
		Value page;
		do {
			page = api
				.get(Api.query("/events",
						after.isEmpty() ? Map.of("limit", 100) : Map.of("limit", 100, "after", after)))
				.at("data");
			for (Value event : page.at("events").list()) {
				if (!event.at("created_at").instant().isBefore(from) && !print(event, types, left)) {
					return 0;
				}
			}
			after = page.at("next_cursor").raw();
		}
		while (page.at("has_more").is(true));
		return 0;
	}

	/** Prints an event of the wanted kinds. Returns false after the last one. */
	private boolean print(Value event, @Nullable List<String> types, int[] left) {
		String kind = event.at("type").raw();
		boolean wanted = types == null || types.stream()
			.anyMatch((type) -> type.endsWith(".*") ? kind.startsWith(type.substring(0, type.length() - 1))
					: kind.equals(type));
		if (wanted) {
			this.session.output().result(event.it(), Events.line(this.session.output(), event));
			left[0]--;
		}
		return left[0] != 0;
	}

	@Command(description = { "Cause an event by a mail to the sandbox, or run a list of calls.",
			"The list is JSON: steps with call (\"POST /emails\"), body, as (a name for the answer) and wait (a kind of "
					+ "event of the last mail). Texts may contain {{name.field}} of earlier answers." })
	int trigger(@Parameters(paramLabel = "OUTCOME", arity = "0..1",
			description = "delivered, bounced, deferred, complained, suppressed, opened or clicked.") @Nullable String outcome,
			@Option(names = "--from", paramLabel = "ADDRESS",
					description = "A sender of a verified domain.") @Nullable String from,
			@Option(names = "--sandbox", paramLabel = "DOMAIN",
					description = "The domain of the sandbox: simulator. and the platform's domain.") @Nullable String sandbox,
			@Option(names = { "-f", "--file" }, paramLabel = "FILE",
					description = "A file with steps; - is the standard input.") @Nullable String file) {
		if (file != null) {
			return run(file);
		}
		if (outcome == null || !OUTCOMES.contains(outcome)) {
			throw Failure.usage("The outcome is one of " + String.join(", ", OUTCOMES));
		}
		String sender = this.session.required(from, "--from", "From");
		Map<String, Object> mail = new LinkedHashMap<>();
		mail.put("from", sender);
		mail.put("to", List.of(outcome + "@" + sandbox(sandbox)));
		mail.put("subject", "Test of " + outcome);
		mail.put("text", "This mail was sent to cause an event.");
		if (outcome.matches("opened|clicked")) {
			mail.put("html",
					"<p>This mail was sent to cause an event. <a href=\"https://example.com/\">A link</a></p>");
			mail.put("open_tracking", true);
			mail.put("click_tracking", true);
		}
		Value sent = this.session.api().post("/emails", mail);
		this.session.output().result(sent.it(), sent.at("id").text());
		return 0;
	}

	private String sandbox(@Nullable String sandbox) {
		if (sandbox != null) {
			return sandbox;
		}
		if (!this.session.credential().url().matches("https?://(localhost|127\\.0\\.0\\.1|\\[::1])[:/].*")) {
			throw Failure
				.usage("Missing option --sandbox, the domain of the sandbox: simulator. and the platform's domain");
		}
		return "simulator.mailroom.localhost";
	}

	private int run(String file) {
		Value steps;
		try {
			steps = new Value(Json.read(this.session.read(file)));
		}
		catch (IllegalArgumentException ex) {
			throw Failure.usage(String.valueOf(ex.getMessage()));
		}
		Api api = this.session.api();
		Map<String, @Nullable Object> answers = new LinkedHashMap<>();
		String mail = "";
		for (Value step : steps.list()) {
			String[] call = step.at("call").raw().split(" ", 2);
			if (!step.at("call").absent() && call.length == 2) {
				Object body = filled(step.at("body").it(), answers);
				String path = String.valueOf(filled(call[1], answers));
				Value answer = call[0].equals("POST") ? api.post(path, body, UUID.randomUUID().toString())
						: api.call(call[0].toUpperCase(Locale.ROOT), path, body);
				answers.put(step.at("as").absent() ? "last" : step.at("as").raw(), answer.it());
				mail = path.equals("/emails") ? answer.at("id").raw() : mail;
				this.session.output().result(answer.it(), step.at("call").text() + "  " + answer.at("id").text());
			}
			else if (!step.at("wait").absent()) {
				await(api, mail, step);
			}
			else {
				throw Failure.usage("A step needs call or wait");
			}
		}
		return 0;
	}

	private void await(Api api, String mail, Value step) {
		if (mail.isEmpty()) {
			throw Failure.usage("wait follows a call of POST /emails");
		}
		String kind = step.at("wait").raw();
		long seconds = step.at("seconds").absent() ? 60 : step.at("seconds").number();
		for (long waited = 0; waited <= seconds * 2; waited++) {
			for (Value event : api.list(Api.path("/emails", mail, "events"), "events", 100)) {
				if (event.at("type").is(kind)) {
					this.session.output().result(event.it(), Events.line(this.session.output(), event));
					return;
				}
			}
			Emails.pause(500);
		}
		throw new Failure(Failure.IN_VAIN, "wait_timeout", "The mail " + mail + " has no event " + Output.clean(kind));
	}

	/** Replaces the names of earlier answers in all texts. */
	private static @Nullable Object filled(@Nullable Object value, Map<String, @Nullable Object> answers) {
		if (value instanceof String text) {
			Matcher matcher = EARLIER.matcher(text);
			return matcher.replaceAll((match) -> {
				String[] names = match.group(1).split("\\.");
				return Matcher.quoteReplacement(new Value(answers).at(names).raw());
			});
		}
		if (value instanceof List<?> list) {
			List<@Nullable Object> filled = new ArrayList<>();
			list.forEach((element) -> filled.add(filled(element, answers)));
			return filled;
		}
		if (value instanceof Map<?, ?> map) {
			Map<Object, @Nullable Object> filled = new LinkedHashMap<>();
			map.forEach((name, element) -> filled.put(name, filled(element, answers)));
			return filled;
		}
		return value;
	}

}
