package dev.mailroom.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.mailroom.cli.Session.Credential;
import dev.mailroom.sdk.Json;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of webhook endpoints, and calls to a program on this computer. */
@Command(name = "webhooks", addMethodSubcommands = false,
		description = "Manage webhook endpoints, and receive calls on this computer.")
final class WebhookCommands {

	private static final String ENDPOINTS = "/webhooks/endpoints";

	private static final Duration TIMEOUT = Duration.ofSeconds(15);

	private static final int LONGEST_ANSWER = 200;

	private final Session session;

	WebhookCommands(Session session) {
		this.session = session;
	}

	@Command(description = "List the endpoints.")
	int list() {
		List<Value> endpoints = this.session.api().list(ENDPOINTS, "endpoints", 100);
		this.session.output()
			.table(endpoints, List.of("ID", "URL", "ACTIVE", "EVENTS"),
					endpoints.stream()
						.map((endpoint) -> List.of(endpoint.at("id").text(), endpoint.at("url").text(),
								endpoint.at("active").text(), Output.cut(endpoint.at("events").joined(), 40)))
						.toList());
		return 0;
	}

	@Command(description = "Create an endpoint. Its secret is shown once, on standard output.")
	int create(@Parameters(paramLabel = "URL", description = "The address to call.") String url,
			@Option(names = "--events", required = true, split = ",", paramLabel = "KIND",
					description = "Kinds of events, or groups such as 'email.*'.") List<String> events) {
		Api api = this.session.api();
		// Without an idempotency key: the operation ignores it, and must not be repeated.
		Value created = api.call("POST", ENDPOINTS, Map.of("url", url, "events", kinds(api, events)))
			.at("data", "endpoint");
		this.session.output()
			.result(created.it(), "Id      " + created.at("id").text(), "Secret  " + created.at("secret").text());
		return 0;
	}

	private static Set<String> kinds(Api api, List<String> wanted) {
		Set<String> kinds = new LinkedHashSet<>();
		for (String name : wanted) {
			if (name.endsWith(".*")) {
				String group = name.substring(0, name.length() - 1);
				api.get("/webhooks/event-types")
					.at("data", "event_types")
					.list()
					.stream()
					.map((type) -> type.at("type").raw())
					.filter((type) -> type.startsWith(group))
					.forEach(kinds::add);
			}
			else {
				kinds.add(name);
			}
		}
		return kinds;
	}

	@Command(description = "List the calls to an endpoint, newest first.")
	int deliveries(@Parameters(paramLabel = "ID", description = "The id of the endpoint.") String id,
			@Option(names = "--limit", paramLabel = "NUMBER", defaultValue = "50",
					description = "The largest number of calls, 50 by default.") int limit) {
		List<Value> calls = this.session.api().list(Api.path(ENDPOINTS, id, "deliveries"), "deliveries", limit);
		Output output = this.session.output();
		output.table(calls, List.of("ID", "CREATED", "EVENT", "STATUS", "ATTEMPTS", "ANSWER"),
				calls.stream()
					.map((call) -> List.of(call.at("id").text(), call.at("created_at").time(), call.at("type").text(),
							output.status(call.at("status").text()), call.at("attempts").text(),
							call.at("response_status").text()))
					.toList());
		return 0;
	}

	@Command(description = "Repeat a call.")
	int redeliver(@Parameters(paramLabel = "ID", description = "The id of the delivery.") String id) {
		Value queued = this.session.api().post(Api.path("/webhooks/deliveries", id, "redeliver"), null);
		this.session.output().result(queued.at("data", "delivery").it(), "Queued " + Output.clean(id));
		return 0;
	}

	@Command(description = "Repeat the failed calls of a period, and make those that were missed in it.")
	int recover(@Parameters(paramLabel = "ID", description = "The id of the endpoint.") String id,
			@Option(names = "--since", required = true, paramLabel = "TIME",
					description = "The begin of the period, such as 2026-12-01T09:00:00Z.") String since,
			@Option(names = "--until", paramLabel = "TIME",
					description = "The end of the period.") @Nullable String until) {
		Map<String, Object> period = new LinkedHashMap<>();
		period.put("since", since);
		if (until != null) {
			period.put("until", until);
		}
		Value result = this.session.api().post(Api.path(ENDPOINTS, id, "recover"), period).at("data");
		this.session.output()
			.result(result.it(),
					((result.it() instanceof Map<?, ?> map) ? map : Map.of()).entrySet()
						.stream()
						.map((entry) -> Output.clean(entry.getKey() + "  " + entry.getValue()))
						.toArray(String[]::new));
		return 0;
	}

	@Command(description = { "Pass calls to a program on this computer, without an address of its own.",
			"A later call continues where this one ended." })
	int listen(
			@Option(names = "--forward-to", paramLabel = "URL",
					description = "The address to call, such as localhost:3000/hooks.") @Nullable String target,
			@Option(names = "--events", paramLabel = "KINDS",
					description = "Kinds of events, or groups such as 'email.*', separated by commas.") @Nullable String events,
			@Option(names = "--latest", description = "Skip the events since the last call.") boolean latest,
			@Option(names = "--count", paramLabel = "NUMBER", defaultValue = "0",
					description = "End after this number of calls.") int count,
			@Option(names = "--print-secret",
					description = "Print the secret that signs the calls, and end.") boolean printSecret)
			throws IOException {
		Credential credential = this.session.credential();
		Api api = new Api(Session.sdk(credential.url(), credential.key()));
		String secret = api.get("/webhooks/listen/secret").at("data", "secret").raw();
		Output output = this.session.output();
		if (printSecret) {
			output.result(Map.of("secret", secret), secret);
			return 0;
		}
		if (target == null) {
			throw Failure.usage("Missing option --forward-to");
		}
		URI address = address(target);
		Path position = this.session.state().resolve("listen-" + digest(credential, address) + ".cursor");
		String after = (!latest && Files.exists(position)) ? Profiles.read(position).strip() : null;
		output.note("Ready. Secret " + secret + " (does not change; --print-secret prints only it)");
		HttpClient client = HttpClient.newBuilder()
			.version(HttpClient.Version.HTTP_1_1)
			.connectTimeout(TIMEOUT)
			.build();
		int[] left = { (count > 0) ? count : -1 };
		Map<String, @Nullable Object> query = new LinkedHashMap<>();
		query.put("events", events);
		new EventStream(api, "/webhooks/listen", query, after).read(output, (message) -> {
			forward(client, address, message.data());
			Profiles.write(position, message.id() + "\n");
			left[0]--;
			return left[0] != 0;
		});
		return 0;
	}

	private static URI address(String target) {
		try {
			URI address = URI.create(target.contains("://") ? target : "http://" + target);
			if (address.getHost() != null && address.getScheme().matches("https?")) {
				return address;
			}
		}
		catch (IllegalArgumentException ex) {
			// As for an address without a host.
		}
		throw Failure.usage("--forward-to needs an address such as localhost:3000/hooks");
	}

	/** Each account and program has a position of its own. */
	private static String digest(Credential credential, URI address) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest((credential.url() + " " + credential.key() + " " + address).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, 8);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("SHA-256 is part of every JDK", ex);
		}
	}

	/** Makes the call that an endpoint would get: the same bytes and headers. */
	private void forward(HttpClient client, URI address, Value call) {
		byte[] body = call.at("body").raw().getBytes(StandardCharsets.UTF_8);
		HttpRequest.Builder request = HttpRequest.newBuilder(address)
			.timeout(TIMEOUT)
			.header("Content-Type", "application/json")
			.header("User-Agent", "Mailroom-Webhooks/1")
			.POST(HttpRequest.BodyPublishers.ofByteArray(body));
		if (call.at("headers").it() instanceof Map<?, ?> headers) {
			headers.forEach((name, value) -> request.header(String.valueOf(name), String.valueOf(value)));
		}
		long start = System.nanoTime();
		int status = 0;
		String answer;
		try {
			HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
			status = response.statusCode();
			answer = (status / 100 == 2) ? "" : response.body();
		}
		catch (IOException ex) {
			answer = "no response (" + ex + ")";
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new Failure(Failure.IN_VAIN, "interrupted", "The stream was interrupted");
		}
		print(address, call, status, answer, Duration.ofNanos(System.nanoTime() - start).toMillis());
	}

	private void print(URI address, Value call, int status, String answer, long millis) {
		Output output = this.session.output();
		Value event = new Value(Json.read(call.at("body").raw()));
		String shown = Output.cut(Output.clean(answer), LONGEST_ANSWER);
		Map<String, @Nullable Object> value = new LinkedHashMap<>();
		value.put("event_id", event.at("id").it());
		value.put("type", event.at("type").it());
		value.put("status", (status != 0) ? status : null);
		value.put("took_ms", millis);
		value.put("answer", shown);
		String code = (status != 0) ? Integer.toString(status) : "✗";
		output.result(value,
				"%s  %-22s %s → POST %s  %s  %d ms  %s"
					.formatted(LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS),
							event.at("type").text(), event.at("id").text(), address,
							(status / 100 == 2) ? output.green(code) : output.red(code), millis, shown)
					.stripTrailing());
	}

}
