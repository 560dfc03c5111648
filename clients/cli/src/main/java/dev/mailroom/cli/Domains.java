package dev.mailroom.cli;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of sending domains. */
@Command(name = "domains", addMethodSubcommands = false, description = "Add, verify and show domains.")
final class Domains {

	private static final List<String> HEAD = List.of("TYPE", "HOST", "VALUE", "FOUND", "STATUS");

	private static final int LONGEST_VALUE = 32;

	private static final int LONGEST_FOUND = 20;

	private static final int MAX_DOMAINS = 1000;

	private static final int LONGEST_STRING = 255;

	/** The server looks at most once in this time. */
	private static final int INTERVAL_SECONDS = 5;

	private final Session session;

	Domains(Session session) {
		this.session = session;
	}

	@Command(description = "Add a domain, and show the records to publish.")
	int add(@Parameters(paramLabel = "NAME", description = "The name of the domain.") String name) {
		return show(this.session.api().post("/domains", Map.of("name", name)).at("data", "domain"), false);
	}

	@Command(description = "List the domains.")
	int list() {
		List<Value> domains = this.session.api().list("/domains", "domains", MAX_DOMAINS);
		Output output = this.session.output();
		output.table(domains, List.of("ID", "NAME", "STATUS", "CREATED"),
				domains.stream()
					.map((domain) -> List.of(domain.at("id").text(), domain.at("name").text(),
							output.status(domain.at("status").text()), domain.at("created_at").time()))
					.toList());
		return 0;
	}

	@Command(description = "Show a domain and its records.")
	int get(@Parameters(paramLabel = "NAME", description = "The name or id of the domain.") String name,
			@Option(names = "--zone", description = "Print the records as lines of a zone file.") boolean zone) {
		Api api = this.session.api();
		return show(api.get(Api.path("/domains", id(api, name))).at("data", "domain"), zone);
	}

	@Command(description = { "Look up the records of a domain.",
			"With --wait until they are found; exit code 8 if that takes too long." })
	int verify(@Parameters(paramLabel = "NAME", description = "The name or id of the domain.") String name,
			@Option(names = "--wait", arity = "0..1", fallbackValue = "30m", paramLabel = "TIME",
					description = "Look every 5 s, for 30 minutes by default.") @Nullable Duration wait) {
		Api api = this.session.api();
		String path = Api.path("/domains", id(api, name), "verify");
		Output output = this.session.output();
		long end = System.nanoTime() + ((wait != null) ? wait.toNanos() : 0);
		try (Keys keys = new Keys(this.session.program())) {
			while (true) {
				Value domain = api.post(path, null).at("data", "domain");
				boolean verified = domain.at("status").is("verified");
				if (verified || System.nanoTime() + Duration.ofSeconds(INTERVAL_SECONDS).toNanos() > end) {
					output.draw(List.of());
					show(domain, false);
					return verified ? 0 : Failure.IN_VAIN;
				}
				pause(keys, domain);
			}
		}
	}

	/** Shows the records until the next look, and obeys keys. */
	private void pause(Keys keys, Value domain) {
		Output output = this.session.output();
		for (int left = INTERVAL_SECONDS; left > 0; left--) {
			List<String> lines = new ArrayList<>(records(domain, LONGEST_VALUE, LONGEST_FOUND));
			lines.add("Next look in " + left + " s"
					+ (keys.work() ? " · c copies the values · z prints a zone file" : ""));
			output.draw(lines);
			switch (keys.next(1000)) {
				case 'c' -> copy(domain);
				case 'z' -> {
					output.draw(List.of());
					output.note(zone(domain));
					output.drawn();
				}
				default -> {
				}
			}
		}
	}

	/** OSC 52, which terminals obey also over SSH. */
	private void copy(Value domain) {
		String values = domain.at("records")
			.list()
			.stream()
			.map((record) -> record.at("host").text() + "\t" + record.at("type").text() + "\t" + data(record))
			.collect(Collectors.joining("\n"));
		this.session.program()
			.err()
			.print("\u001b]52;c;" + Base64.getEncoder().encodeToString(values.getBytes(StandardCharsets.UTF_8))
					+ "\u0007");
	}

	@Command(description = "Delete a domain, and revoke its API keys.")
	int delete(@Parameters(paramLabel = "NAME", description = "The name or id of the domain.") String name,
			@Option(names = "--yes", description = "Do not ask.") boolean yes) {
		Api api = this.session.api();
		String id = id(api, name);
		this.session.confirm(yes, "Delete the domain " + Output.clean(name) + " and revoke its keys?");
		api.sdk().domains().delete(id);
		this.session.output().result(Map.of("id", id, "deleted", true), "Deleted " + Output.clean(name));
		return 0;
	}

	private static String id(Api api, String name) {
		return api.id("/domains", "domains", name);
	}

	private int show(Value domain, boolean zone) {
		Output output = this.session.output();
		if (zone) {
			output.result(Map.of("zone", zone(domain)), zone(domain));
			return 0;
		}
		List<String> lines = new ArrayList<>();
		lines.add(domain.at("name").text() + "  " + output.status(domain.at("status").text()) + "  "
				+ output.dim(domain.at("id").text()));
		// Whole, because they are copied from here.
		lines.addAll(records(domain, Integer.MAX_VALUE, Integer.MAX_VALUE));
		output.result(domain.it(), lines.toArray(String[]::new));
		return 0;
	}

	private List<String> records(Value domain, int longestValue, int longestFound) {
		Output output = this.session.output();
		return output.lines(HEAD,
				domain.at("records")
					.list()
					.stream()
					.map((record) -> List.of(record.at("type").text(), record.at("host").text(),
							Output.cut(data(record), longestValue), Output.cut(record.at("error").text(), longestFound),
							state(output, record)))
					.toList());
	}

	private static String state(Output output, Value record) {
		return switch (record.at("status").raw()) {
			case "verified" -> output.green("✓");
			case "failed" -> output.red("✗ differs");
			case "temporary_failure" -> output.yellow("… no answer");
			default -> "… waiting";
		};
	}

	private static String data(Value record) {
		return (record.at("priority").absent() ? "" : record.at("priority").text() + " ") + record.at("value").text();
	}

	/** Texts are cut into the strings of a TXT record (RFC 1035 3.3.14). */
	private static String zone(Value domain) {
		return domain.at("records").list().stream().map((record) -> {
			String value = record.at("value").text();
			boolean text = record.at("type").is("TXT");
			String data = text ? strings(value) : data(record) + ".";
			return record.at("host").text() + ". 3600 IN " + record.at("type").text() + " " + data;
		}).collect(Collectors.joining("\n"));
	}

	private static String strings(String value) {
		List<String> parts = new ArrayList<>();
		for (int i = 0; i < value.length(); i += LONGEST_STRING) {
			String part = value.substring(i, Math.min(value.length(), i + LONGEST_STRING));
			parts.add('"' + part.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
		}
		return String.join(" ", parts);
	}

}
