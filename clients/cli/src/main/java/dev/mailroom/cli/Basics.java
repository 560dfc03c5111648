package dev.mailroom.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.mailroom.cli.Session.Credential;
import dev.mailroom.sdk.Json;
import dev.mailroom.sdk.MailroomException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands that are about the server and the account as a whole. */
@Command(name = "mailroom", addMethodSubcommands = false)
final class Basics {

	private static final int MAX_DOMAINS = 1000;

	private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

	private final Session session;

	Basics(Session session) {
		this.session = session;
	}

	@Command(description = { "Call an operation of the API.",
			"For example: mailroom api POST /domains -d '{\"name\": \"shop.test\"}'" })
	int api(@Parameters(paramLabel = "METHOD", description = "GET, POST, PUT, PATCH or DELETE.") String method,
			@Parameters(paramLabel = "PATH",
					description = "The path below the address of the API, with its parameters.") String path,
			@Option(names = { "-d", "--data" }, paramLabel = "JSON",
					description = "The body; @FILE reads it from a file, @- from the standard input.") @Nullable String data,
			@Option(names = "--idempotency-key", paramLabel = "TEXT",
					description = "Makes it safe to repeat a POST.") @Nullable String key) {
		String verb = method.toUpperCase(Locale.ROOT);
		if (!METHODS.contains(verb) || !path.startsWith("/") || path.matches(".*[\\s#].*")) {
			throw Failure.usage("The method is one of " + METHODS + ", and the path begins with /");
		}
		Object body = null;
		if (data != null) {
			try {
				body = Json.read(data.startsWith("@") ? this.session.read(data.substring(1)) : data);
			}
			catch (IllegalArgumentException ex) {
				throw Failure.usage(String.valueOf(ex.getMessage()));
			}
		}
		Api api = this.session.api();
		Value answer = (key != null) ? api.post(path, body, key) : api.call(verb, path, body);
		this.session.output().json(answer.it());
		return 0;
	}

	@Command(description = "Show the use of the plan.")
	int usage() {
		Value usage = this.session.api().get("/usage").at("data", "usage");
		List<String> lines = new ArrayList<>();
		((usage.it() instanceof Map<?, ?> map) ? map : Map.of()).forEach((name, value) -> {
			Value part = new Value(value);
			lines.add("%-16s %s".formatted(name,
					part.at("used").absent() ? part.text() : part.at("used").number() + " of "
							+ (part.at("limit").absent() ? "unlimited" : part.at("limit").text())
							+ (part.at("resets_at").absent() ? "" : ", anew at " + part.at("resets_at").time())));
		});
		this.session.output().result(usage.it(), lines.toArray(String[]::new));
		return 0;
	}

	@Command(description = "Check the address, the key, its permissions and the domains.")
	int doctor() {
		List<Check> checks = new ArrayList<>();
		Credential credential = this.session.credential();
		Api api = new Api(Session.sdk(credential.url(), credential.key()));
		check(checks, "key", () -> {
			Value key = api.get("/api-keys/current").at("data", "apiKey");
			check(checks, "permissions", () -> key.at("permissions").joined());
			return key.at("key_prefix").text() + "…, "
					+ (key.at("expires_at").absent() ? "does not expire" : "until " + key.at("expires_at").time());
		});
		boolean reached = checks.stream().allMatch(Check::ok) || !checks.get(0).says().contains("request id");
		checks.add(0, new Check("server", reached, credential.url()));
		if (reached) {
			check(checks, "domains", () -> {
				List<Value> domains = api.list("/domains", "domains", MAX_DOMAINS);
				long verified = domains.stream().filter((domain) -> domain.at("status").is("verified")).count();
				if (!domains.isEmpty() && verified == 0) {
					throw new Failure(Failure.REFUSED, "unverified", "none of " + domains.size() + " is verified");
				}
				return verified + " of " + domains.size() + " verified";
			});
		}
		Output output = this.session.output();
		boolean ok = checks.stream().allMatch(Check::ok);
		output.result(Map.of("ok", ok, "checks", checks.stream().map(Check::value).toList()),
				checks.stream()
					.map((check) -> (check.ok() ? output.green("✓ ") : output.red("✗ "))
							+ "%-12s %s".formatted(check.name(), check.says()))
					.toArray(String[]::new));
		return ok ? 0 : Failure.REFUSED;
	}

	private static void check(List<Check> checks, String name, Supplier<String> check) {
		try {
			checks.add(new Check(name, true, check.get()));
		}
		catch (MailroomException | Failure ex) {
			boolean lacks = ex instanceof MailroomException.PermissionDenied;
			checks.add(new Check(name, lacks, Output.clean(String.valueOf(ex.getMessage()))));
		}
	}

	/** The result of a check. */
	private record Check(String name, boolean ok, String says) {

		Map<String, Object> value() {
			Map<String, Object> value = new LinkedHashMap<>();
			value.put("name", this.name);
			value.put("ok", this.ok);
			value.put("says", this.says);
			return value;
		}

	}

}
