package dev.mailroom.spring.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.jayway.jsonpath.JsonPath;

import org.springframework.util.FileSystemUtils;

/** The standalone in a process that ends with this JVM. */
final class Standalone {

	private static final String DOMAIN = "mailroom-tests.test";

	private static final String PERSON = """
			{"email": "tests@mailroom-tests.test", "password": "correct horse battery"}""";

	private static final String KEY = """
			{"account": true, "keyName": "tests", "permissions": ["send", "domains.write", "templates.write",
			 "contacts.write", "campaigns.write", "campaigns.send", "suppressions.write", "webhooks.write",
			 "events.read", "usage.read"]}""";

	private static final List<String> PORTS = List.of("API", "ADMIN", "MANAGEMENT", "CATCHER", "MAILBOX", "PG", "KAFKA",
			"INBOUND", "SUBMISSION");

	private static final long STOP_SECONDS = 20;

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final String api;

	private String token = "";

	private Standalone(String api) {
		this.api = api;
	}

	static MailroomServer.Running start(String jar) {
		try {
			String output = run(jar);
			Standalone server = new Standalone("http://localhost:" + port("API", output) + "/api");
			return new MailroomServer.Running(server.api, server.key(), DOMAIN,
					new Mailbox("http://localhost:" + port("Mailbox", output)));
		}
		catch (IOException ex) {
			throw new IllegalStateException("Mailroom did not start from " + jar, ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The thread was interrupted", ex);
		}
	}

	/** Starts the process, and returns its output until it is ready. */
	private static String run(String jar) throws IOException {
		Path data = Files.createTempDirectory("mailroom-tests");
		ProcessBuilder builder = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-jar", jar)
			.redirectErrorStream(true);
		Map<String, String> environment = builder.environment();
		PORTS.forEach((port) -> environment.put("MAILROOM_" + port + "_PORT", "0"));
		environment.put("MAILROOM_DATA_DIR", data.toString());
		environment.put("MAILROOM_OPERATOR_EMAIL", "tests@" + DOMAIN);
		environment.put("MAILROOM_OPERATOR_PASSWORD", "correct horse battery");
		Process process = builder.start();
		Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(process, data)));
		StringBuilder output = new StringBuilder();
		BufferedReader lines = process.inputReader();
		for (String line = lines.readLine(); line != null; line = lines.readLine()) {
			output.append(line).append('\n');
			if (line.contains("Ctrl-C stops it.")) {
				Thread rest = new Thread(() -> discard(lines), "mailroom-output");
				rest.setDaemon(true);
				rest.start();
				return output.toString();
			}
		}
		throw new IllegalStateException("Mailroom did not start:\n" + output);
	}

	/** Reads the rest of the output, so that the process does not wait for a reader. */
	private static void discard(BufferedReader lines) {
		try {
			lines.transferTo(Writer.nullWriter());
		}
		catch (IOException ex) {
			// The process has ended.
		}
	}

	private static void stop(Process process, Path data) {
		process.destroy();
		try {
			if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
				process.destroyForcibly();
			}
			FileSystemUtils.deleteRecursively(data);
		}
		catch (IOException ex) {
			// The directory is a temporary one.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static String port(String name, String output) {
		Matcher port = Pattern.compile("(?m)^ *" + name + " +http://localhost:(\\d+)").matcher(output);
		if (!port.find()) {
			throw new IllegalStateException("There is no address of the " + name + " in:\n" + output);
		}
		return port.group(1);
	}

	/** Signs in, verifies the domain and creates a key. */
	private String key() throws IOException, InterruptedException {
		this.token = JsonPath.read(post("/auth/login", PERSON), "$.data.access_token");
		String domain = JsonPath.read(post("/domains", "{\"name\": \"" + DOMAIN + "\"}"), "$.data.domain.id");
		post("/domains/" + domain + "/verify", "");
		return JsonPath.read(post("/api-keys", KEY), "$.data.apiKey.key");
	}

	private String post(String path, String body) throws IOException, InterruptedException {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(this.api + path))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(body));
		if (!this.token.isEmpty()) {
			request.header("Authorization", "Bearer " + this.token);
		}
		HttpResponse<String> response = this.http.send(request.build(), BodyHandlers.ofString());
		if (response.statusCode() / 100 != 2) {
			throw new IllegalStateException("POST " + path + ": " + response.statusCode() + " " + response.body());
		}
		return response.body();
	}

}
