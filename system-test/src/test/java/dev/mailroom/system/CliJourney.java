package dev.mailroom.system;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpServer;
import dev.mailroom.domain.TestDns;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A person with the command mailroom, from an empty home directory: signs in, verifies a
 * domain, sends, receives calls, and keeps templates and contacts in files.
 */
final class CliJourney {

	private static final Path TARGET = Path.of("../clients/cli/target").toAbsolutePath();

	private static final Path CLIENTS = Path.of("src/test/clients");

	private static final String DOMAIN = "shop.cli-journey.example.net";

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private final Path home;

	private final Mailroom mailroom;

	private final TestDns dns;

	CliJourney(Path home, Mailroom mailroom, TestDns dns) {
		this.home = home;
		this.mailroom = mailroom;
		this.dns = dns;
	}

	/** Signs in by device flow, which the person with this access token approves. */
	void signIn(String token) throws Exception {
		JsonNode started = json(run(0, "login", "--url", "http://localhost:" + this.mailroom.port("API"), "--store",
				"file", "--start"));
		try (Web admin = new Web(this.mailroom.port("Admin"))) {
			admin.use(token);
			String answer = admin
				.post("/graphql",
						"""
								{"query": "mutation { approveDeviceSignIn(input: {code: \\"%s\\", name: \\"cli\\", permissions: [SEND, \
								DOMAINS_WRITE, TEMPLATES_WRITE, CONTACTS_WRITE, CAMPAIGNS_WRITE, CAMPAIGNS_SEND, WEBHOOKS_READ, \
								EVENTS_READ, USAGE_READ]}) { done } }"}"""
							.formatted(started.get("code").stringValue()))
				.body();
			assertThat(answer).contains("\"done\":true");
		}
		run(0, "login", "--finish", started.get("id").stringValue());
		assertThat(json(run(0, "whoami")).at("/apiKey/key_name").stringValue()).isEqualTo("cli");
	}

	/** Adds a domain, which is verified as soon as the name server has its records. */
	void verifyDomain() throws Exception {
		JsonNode domain = json(run(0, "domains", "add", DOMAIN));
		run(8, "domains", "verify", DOMAIN);
		domain.get("records").forEach((record) -> {
			String priority = record.has("priority") ? record.get("priority").asString() + " " : "";
			if (priority.isEmpty()) {
				this.dns.publish("TXT", record.get("host").stringValue(), record.get("value").stringValue());
			}
		});
		assertThat(json(run(0, "domains", "verify", DOMAIN, "--wait", "30s")).get("status").stringValue())
			.isEqualTo("verified");
	}

	void sendAndWait() throws Exception {
		JsonNode mail = json(run(0, "send", "--from", "Shop <hi@" + DOMAIN + ">", "--to", "ann@cli.test", "--subject",
				"Hi", "--text", "It works.", "--wait"));
		assertThat(mail.get("status").stringValue()).isEqualTo("delivered");
	}

	/** Receives the call about a bounce, which the command causes. */
	void listen() throws Exception {
		BlockingQueue<String> calls = new LinkedBlockingQueue<>();
		HttpServer program = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		program.createContext("/", (exchange) -> {
			calls.add(exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("webhook-signature") + " "
					+ new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
			exchange.sendResponseHeaders(204, -1);
			exchange.close();
		});
		program.start();
		String target = "localhost:" + program.getAddress().getPort() + "/hooks?t=1";
		Process listener = start("webhooks", "listen", "--forward-to", target, "--events", "email.bounced", "--count",
				"1");
		try {
			// The stream begins with the events to come.
			String call = null;
			long end = System.nanoTime() + TIMEOUT.toNanos();
			while (call == null && System.nanoTime() < end) {
				run(0, "trigger", "bounced", "--from", "hi@" + DOMAIN);
				call = calls.poll(3, TimeUnit.SECONDS);
			}
			assertThat(call).startsWith("/hooks?t=1 v1,").contains("\"type\":\"email.bounced\"");
			assertThat(listener.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
			assertThat(json(new String(listener.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).get("status")
				.intValue()).isEqualTo(204);
		}
		finally {
			listener.destroy();
			program.stop(0);
		}
	}

	/** Pushes a template, pulls it, and pushes without a change. */
	void templates() throws Exception {
		Path folder = Files.createDirectories(this.home.resolve("mails/welcome"));
		Files.writeString(folder.resolve("meta.json"),
				"{\"name\": \"CLI welcome\", \"subject\": \"Hi {{name|friend}}\"}");
		Files.writeString(folder.resolve("content.html"), "<p>Hi {{name|friend}}</p>\n");
		assertThat(run(0, "templates", "push", this.home.resolve("mails").toString())).contains("\"new\"");
		Path copy = this.home.resolve("copy");
		run(0, "templates", "pull", copy.toString());
		assertThat(copy.resolve("cli-welcome/content.html")).hasContent("<p>Hi {{name|friend}}</p>");
		assertThat(run(0, "templates", "push", copy.toString())).doesNotContain("\"new\"", "\"changed\"");
	}

	/** Pushes React Email and MJML, whose placeholders have values in a mail. */
	void templatesOfOtherSources() throws Exception {
		Path project = this.home.resolve("shop");
		FileSystemUtils.copyRecursively(Path.of("../examples/templates"), project);
		Files.createSymbolicLink(project.resolve("node_modules"), CLIENTS.resolve("node_modules").toRealPath());
		Path emails = project.resolve("emails");
		assertThat(run(0, "templates", "push", emails.toString())).contains("\"new\"").doesNotContain("\"changed\"");
		assertThat(run(0, "templates", "pull", emails.toString())).contains("unchanged").doesNotContain("CONFLICT");
		assertThat(run(0, "templates", "push", emails.toString())).doesNotContain("\"new\"", "\"changed\"");
		assertThat(emails.resolve("plan-ready/content.html")).doesNotExist();
		JsonNode locked = json(Files.readString(emails.resolve("mailroom.lock.json"))).get("templates");
		assertThat(mail(locked.at("/plan-ready/id").stringValue(), "eve@cli.test"))
			.contains("href=\"https://shop.test/start\"")
			.containsPattern("Hello (<!-- -->)?Ann</h1>")
			.containsPattern("Your plan (<!-- -->)?Gold");
		assertThat(mail(locked.at("/receipt/id").stringValue(), "eva@cli.test"))
			.contains("Thank you, Ann. You paid 9.90 for order 17.", "href=\"https://shop.test/start\"");

		Path source = emails.resolve("plan-ready/content.tsx");
		Files.writeString(source, Files.readString(source).replace("<Text>", "{plan && <Text>more</Text>}<Text>"));
		assertThat(refused("templates", "push", emails.toString())).contains("other elements without values");
	}

	/** The HTML of a mail from a template, as it arrives. */
	private String mail(String template, String to) throws Exception {
		run(0, "api", "POST", "/emails", "-d", """
				{"from": "hi@%s", "to": ["%s"], "template_id": "%s", "variables": {"name": "Ann", "plan": "Gold",
				 "order": 17, "total": "9.90", "url": "https://shop.test/start"}}""".formatted(DOMAIN, to, template));
		try (Web mailbox = new Web(this.mailroom.port("Mailbox"))) {
			return mailbox.get("/messages?wait=30&to=" + to).json(200).at("/messages/0/html").stringValue();
		}
	}

	/** Imports contacts with a row that is skipped, and sends them a campaign. */
	void contactsAndCampaign() throws Exception {
		String book = json(run(0, "api", "POST", "/contact-books", "-d", "{\"name\": \"CLI readers\"}"))
			.at("/data/contactBook/id")
			.stringValue();
		Path file = this.home.resolve("readers.csv");
		Files.writeString(file, "E-Mail,City\nann@cli.test,Graz\nnot an address,Wien\nbob@cli.test,Linz\n");
		JsonNode first = json(run(0, "contacts", "import", file.toString(), "--book", "CLI readers", "--map",
				"E-Mail=email,City=properties.city", "--consent-stated"));
		assertThat(first.toString()).contains("\"rows\":3,\"added\":2,\"updated\":0,\"skipped\":1");
		assertThat(this.home.resolve("readers.skipped.csv")).content().contains("not an address,Wien,");
		JsonNode second = json(run(0, "contacts", "import", file.toString(), "--book", "CLI readers", "--map",
				"E-Mail=email,City=properties.city", "--consent-stated"));
		assertThat(second.get("added").intValue()).isZero();
		run(0, "api", "POST", "/campaigns", "-d", """
				{"name": "CLI news", "from": "hi@%s", "subject": "News", "text_content": "Hi {{unsubscribe_url}}",
				 "contact_book_id": "%s"}""".formatted(DOMAIN, book));
		run(0, "campaigns", "start", "CLI news", "--yes");
		List<String> shown = run(0, "campaigns", "status", "CLI news", "--watch").lines().toList();
		JsonNode last = json(shown.getLast());
		assertThat(last.get("status").stringValue()).isEqualTo("sent");
		assertThat(last.get("total_contacts").intValue()).isEqualTo(2);
	}

	private static JsonNode json(String text) {
		return JsonMapper.shared().readTree(text);
	}

	/** The output of the command, which must exit with this code. */
	private String run(int code, String... arguments) throws IOException, InterruptedException {
		Process process = start(arguments);
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(String.join(" ", arguments) + "\n" + output + errors(process)).isEqualTo(code);
		return output;
	}

	private String refused(String... arguments) throws IOException, InterruptedException {
		Process process = start(arguments);
		String errors = errors(process);
		assertThat(process.waitFor()).as(errors).isEqualTo(2);
		return errors;
	}

	private static String errors(Process process) throws IOException {
		return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	/** With the default Java, which may be older than that of the build. */
	static List<String> command() throws IOException {
		return List.of("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
				TARGET.resolve("classes") + File.pathSeparator + Files.readString(TARGET.resolve("classpath")).strip(),
				"dev.mailroom.cli.Main");
	}

	private Process start(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(command());
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command);
		builder.environment().keySet().removeIf((name) -> name.startsWith("XDG_") || name.startsWith("MAILROOM_"));
		builder.environment().put("HOME", this.home.toString());
		Process process = builder.start();
		process.getOutputStream().close();
		return process;
	}

}
