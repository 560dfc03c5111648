package dev.mailroom.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.mailroom.cli.Stub.Result;
import dev.mailroom.sdk.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import static org.assertj.core.api.Assertions.assertThat;

/** Rules that hold for all commands. */
class CommandsTest {

	private static final String ID = "0199f0a4-be44-7f35-9041-92a3b4c5d6e7";

	private static final String MAIL = """
			{"id": "%s", "from": "a@b.test", "from_email": "a@b.test", "to": ["c@d.test"], "to_emails": ["c@d.test"],
			 "subject": "Hi \\u001b]0;title\\u0007\\u009b31m there", "status": "delivered", "last_event": "delivered",
			 "recipients": [{"email": "c@d.test", "status": "delivered", "reply": "250 Ok"}],
			 "created_at": "2026-11-21T09:30:00.000Z"}""".formatted(ID);

	private static final String DOMAIN = """
			{"id": "%s", "name": "shop.test", "status": "verified", "records": [{"purpose": "dkim", "type": "TXT",
			 "host": "m1._domainkey.shop.test", "value": "v=DKIM1; p=MIIB", "status": "pending", "error": "nothing"}],
			 "created_at": "2026-11-21T09:30:00.000Z"}""".formatted(ID);

	private static final String CAMPAIGN = """
			{"id": "%s", "name": "news", "status": "sent", "subject": "News", "total_contacts": 2, "sent_count": 2}"""
		.formatted(ID);

	private static final String TEMPLATE = """
			{"id": "%s", "name": "Welcome", "subject": "Hi", "html_content": "<p>{{name|friend}}</p>\\n",
			 "text_content": null, "updated_at": "2026-11-21T09:30:00.000Z"}""".formatted(ID);

	private static final String CURRENT = """
			{"success": true, "data": {"apiKey": {"key_prefix": "ek_aaaaaaaaaaaa", "key_name": "cli",
			 "permissions": ["send"], "expires_at": null}, "domain": null, "account": {"id": "%s", "plan": "free"}}}"""
		.formatted(ID);

	/** Arguments of each command. One that is missing here fails the test. */
	private static final Map<String, List<String>> ARGUMENTS = new TreeMap<>(Map.ofEntries(
			Map.entry("api", List.of("GET", "/usage")), Map.entry("completion bash", List.of()),
			Map.entry("completion fish", List.of()), Map.entry("completion zsh", List.of()),
			Map.entry("doctor", List.of()), Map.entry("domains add", List.of("shop.test")),
			Map.entry("domains delete", List.of("shop.test", "--yes")), Map.entry("domains get", List.of("shop.test")),
			Map.entry("domains list", List.of()), Map.entry("domains verify", List.of("shop.test", "--wait", "1m")),
			Map.entry("emails cancel", List.of(ID)), Map.entry("emails get", List.of(ID)),
			Map.entry("emails list", List.of("--status", "delivered")), Map.entry("emails wait", List.of(ID)),
			Map.entry("login", List.of("--store", "file", "--start")), Map.entry("logout", List.of()),
			Map.entry("profiles", List.of()),
			Map.entry("send",
					List.of("--from", "a@b.test", "--to", "c@d.test", "--subject", "Hi", "--text", "x", "--wait")),
			Map.entry("suppressions add", List.of("c@d.test")), Map.entry("suppressions list", List.of()),
			Map.entry("suppressions remove", List.of("c@d.test", "--yes")), Map.entry("usage", List.of()),
			Map.entry("whoami", List.of()), Map.entry("campaigns list", List.of()),
			Map.entry("campaigns pause", List.of("news")), Map.entry("campaigns resume", List.of("news")),
			Map.entry("campaigns schedule", List.of("news", "--at", "+2h")),
			Map.entry("campaigns start", List.of("news", "--yes")),
			Map.entry("campaigns status", List.of("news", "--watch")),
			Map.entry("campaigns test", List.of("news", "--to", "c@d.test")),
			Map.entry("contacts export", List.of("--book", "Readers")),
			Map.entry("contacts import", List.of("contacts.csv", "--book", "Readers")),
			Map.entry("logs", List.of("--type", "email.*")),
			Map.entry("templates dev", List.of("mails", "--once", "--port=0")),
			Map.entry("templates diff", List.of("mails/welcome")), Map.entry("templates pull", List.of("mails")),
			Map.entry("templates push", List.of("mails")),
			Map.entry("trigger", List.of("bounced", "--from", "a@b.test")),
			Map.entry("webhooks create", List.of("https://shop.test/hook", "--events", "email.*")),
			Map.entry("webhooks deliveries", List.of(ID)), Map.entry("webhooks list", List.of()),
			Map.entry("webhooks listen", List.of("--forward-to", "HOOK", "--count", "1")),
			Map.entry("webhooks recover", List.of(ID, "--since", "2026-11-21T09:30:00Z")),
			Map.entry("webhooks redeliver", List.of(ID))));

	@TempDir
	private Path home;

	private Stub stub;

	@BeforeEach
	void start() throws IOException {
		this.stub = new Stub(this.home);
	}

	@AfterEach
	void stop() {
		this.stub.close();
	}

	@Test
	void everyCommandPrintsJsonAndNothingElse() throws IOException {
		Path key = Files.writeString(this.home.resolve("key"), Stub.KEY);
		answers();
		assertThat(this.stub.run("login", "--store", "file", "--url", this.stub.url, "--api-key-file", key.toString())
			.code()).isZero();
		this.stub.environment.put("MAILROOM_URL", this.stub.url);
		Files.writeString(this.home.resolve("contacts.csv"), "email\nann@example.test\n");
		Map<String, List<String>> arguments = new TreeMap<>(ARGUMENTS);
		for (CommandSpec command : leaves()) {
			String name = command.qualifiedName().substring("mailroom ".length());
			// Last, as it forgets the key.
			List<String> given = arguments.remove(name);
			assertThat(given).as("arguments for " + name).isNotNull();
			if (!name.equals("logout") && !name.startsWith("templates ")) {
				printsJson(name, given);
			}
		}
		assertThat(arguments).isEmpty();
		for (String act : List.of("pull", "diff", "push", "dev")) {
			printsJson("templates " + act, ARGUMENTS.get("templates " + act));
		}
		printsJson("logout", List.of());
	}

	private void printsJson(String name, List<String> arguments) {
		Stream<String> given = arguments.stream()
			.map((argument) -> argument.matches("mails.*|.*\\.csv") ? this.home.resolve(argument).toString()
					: argument.replace("HOOK", this.stub.url + "/hook"));
		String[] whole = Stream.concat(Stream.of(name.split(" ")), Stream.concat(given, Stream.of("--json")))
			.toArray(String[]::new);
		Result result = this.stub.run("", true, whole);
		assertThat(result.code()).as(name + ": " + result.err() + result.out()).isZero();
		assertThat(result.err()).as(name).isEmpty();
		assertThat(result.out()).as(name).isNotBlank().doesNotContain("\u001b", "\u009b");
		result.out().lines().forEach(Json::read);
	}

	@Test
	void noCommandTakesAKeyAsAnArgument() {
		for (CommandSpec command : leaves()) {
			for (OptionSpec option : command.options()) {
				if (option.longestName().matches(".*(key|secret|token|password).*")) {
					assertThat(option.longestName()).isIn("--api-key-file", "--idempotency-key", "--print-secret");
				}
			}
		}
	}

	@Test
	void eachErrorOfTheApiHasItsExitCodeAndItsFields() {
		this.stub.signedIn();
		Map<Integer, Integer> codes = Map.of(400, 1, 409, 1, 401, 3, 404, 5, 429, 6, 501, 7);
		codes.forEach((status, code) -> {
			this.stub.refuse("GET /usage", status, "some_error");
			Result result = this.stub.run("usage");
			assertThat(result.code()).as("status " + status).isEqualTo(code);
			assertThat(result.out()).isEmpty();
			assertThat(result.err()).contains("\"name\":\"some_error\"", "\"statusCode\":" + status, "request_id",
					"docs_url");
			Json.read(result.err());
		});
		this.stub.refuse("GET /usage", 403, "forbidden");
		assertThat(this.stub.run("usage").code()).isEqualTo(4);
		this.stub.refuse("GET /usage", 403, "from_domain_mismatch");
		assertThat(this.stub.run("usage").code()).isEqualTo(1);
		assertThat(this.stub.show("usage").err()).contains("Refused [31m.").doesNotContain("\u001b");
		this.stub.environment.put("MAILROOM_URL", "http://127.0.0.1:1");
		assertThat(this.stub.run("usage").code()).isEqualTo(7);
	}

	@Test
	void otherEndsHaveTheirExitCodes() {
		assertThat(this.stub.run("usage").code()).as("without a key").isEqualTo(3);
		assertThat(this.stub.run("domains", "frobnicate").code()).isEqualTo(2);
		assertThat(this.stub.run("emails", "wait", ID, "--timeout", "soon").code()).isEqualTo(2);
		this.stub.signedIn();
		this.stub.answer("GET /emails/" + ID, MAIL.replace("delivered", "bounced"));
		assertThat(this.stub.run("emails", "wait", ID).code()).as("bounced").isEqualTo(8);
		this.stub.answer("GET /emails/" + ID, MAIL.replace("delivered", "pending"));
		assertThat(this.stub.run("emails", "wait", ID, "--timeout", "0s").code()).as("time is up").isEqualTo(8);
		this.stub.answer("GET /domains", list("domains", "")).answer("GET /suppressions", list("suppressions", ""));
		assertThat(this.stub.run("domains", "get", "none.test").code()).as("no such name").isEqualTo(5);
		assertThat(this.stub.run("suppressions", "remove", "x@y.test").code()).isEqualTo(5);
	}

	@Test
	void destructiveCommandsAskOrNeedAnOption() {
		this.stub.signedIn().answer("GET /domains", list("domains", DOMAIN));
		Result result = this.stub.run("domains", "delete", "shop.test");
		assertThat(result.code()).isEqualTo(2);
		assertThat(result.err()).contains("--yes");
		assertThat(this.stub.requests).noneMatch((request) -> request.method().equals("DELETE"));
	}

	@Test
	void textsOfStrangersCannotControlTheTerminal() {
		answers();
		this.stub.signedIn();
		for (String[] command : new String[][] { { "emails", "list" }, { "emails", "get", ID } }) {
			String out = this.stub.show(command).out();
			assertThat(out).contains("Hi ]0;title31m there").doesNotContain("\u0007", "\u009b", "\u001b]");
		}
		this.stub.environment.put("NO_COLOR", "1");
		assertThat(this.stub.show("emails", "get", ID).out()).doesNotContain("\u001b");
	}

	@Test
	void filesWithSecretsAreReadByTheirOwnerOnly() throws IOException {
		answers();
		Path key = Files.writeString(this.home.resolve("key"), Stub.KEY);
		this.stub.run("login", "--store", "file", "--url", this.stub.url, "--api-key-file", key.toString());
		this.stub.run("login", "--store", "file", "--start");
		List<Path> files;
		try (Stream<Path> found = Files.walk(this.home)) {
			files = found.filter((file) -> Files.isRegularFile(file) && !file.equals(key)).toList();
		}
		assertThat(files).hasSizeGreaterThan(2);
		for (Path file : files) {
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
		}
		assertThat(Files.readString(this.home.resolve(".config/mailroom/config.toml"))).doesNotContain(Stub.KEY);
	}

	@Test
	void theKeyOfAProfileIsSentToItsAddressOnly() throws IOException {
		answers();
		Path key = Files.writeString(this.home.resolve("key"), Stub.KEY);
		this.stub.run("login", "--store", "file", "--url", this.stub.url, "--api-key-file", key.toString());
		this.stub.requests.clear();
		assertThat(this.stub.run("usage", "--url", this.stub.url.replace("127.0.0.1", "localhost")).code())
			.isEqualTo(2);
		assertThat(this.stub.requests).isEmpty();
		assertThat(this.stub.run("usage").code()).isZero();
		assertThat(this.stub.requests.get(0).headers().get("authorization")).isEqualTo("Bearer " + Stub.KEY);
	}

	@Test
	void aPersonSignsInByACodeAndTheKeyIsStored() throws IOException {
		answers();
		this.stub.answer("POST /oauth/token", "{\"access_token\": \"" + Stub.KEY + "\", \"token_type\": \"Bearer\"}");
		Result result = this.stub.run("login", "--store", "file", "--url", this.stub.url, "--permissions",
				"emails.send,usage.read");
		assertThat(result.code()).as(result.err()).isZero();
		assertThat(result.err()).contains("BXQR-TKLM", "https://mail.test/device");
		assertThat(this.stub.requests.get(0).body()).contains("scope=emails.send%20usage.read");
		assertThat(result.out()).doesNotContain(Stub.KEY);
		assertThat(this.stub.run("whoami").code()).isZero();
		this.stub.answer("POST /oauth/token", 400, "application/json", "{\"error\": \"access_denied\"}");
		assertThat(this.stub.run("login", "--store", "file").code()).isEqualTo(1);
		this.stub.answer("POST /oauth/token", 400, "application/json", "{\"error\": \"expired_token\"}");
		assertThat(this.stub.run("login", "--store", "file").code()).isEqualTo(8);
	}

	@Test
	void anAgentStartsASignInAndFinishesItLater() {
		answers();
		Object started = Json.read(this.stub.run("login", "--store", "file", "--url", this.stub.url, "--start").out());
		String id = new Value(started).at("id").raw();
		assertThat(new Value(started).at("next").raw()).isEqualTo("mailroom login --finish " + id);
		this.stub.answer("POST /oauth/token", "{\"access_token\": \"" + Stub.KEY + "\"}");
		assertThat(this.stub.run("login", "--finish", id).code()).isZero();
		assertThat(this.stub.run("login", "--finish", id).code()).as("once").isEqualTo(5);
		assertThat(this.stub.run("whoami").code()).isZero();
	}

	private static List<CommandSpec> leaves() {
		return Manual.leaves(Manual.root().getCommandSpec()).toList();
	}

	private static String list(String name, String item) {
		return "{\"success\": true, \"data\": {\"" + name + "\": [" + item
				+ "], \"pagination\": {\"next_cursor\": null}}}";
	}

	private void answers() {
		actsOfCampaigns();
		this.stub.answer("GET /api-keys/current", CURRENT)
			.answer("GET /usage",
					"{\"success\": true, \"data\": {\"usage\": {\"daily\": {\"used\": 1, \"limit\": null}}}}")
			.answer("GET /domains", list("domains", DOMAIN))
			.answer("POST /domains", one("domain", DOMAIN))
			.answer("GET /domains/" + ID, one("domain", DOMAIN))
			.answer("POST /domains/" + ID + "/verify", one("domain", DOMAIN))
			.answer("DELETE /domains/" + ID, "{\"success\": true}")
			.answer("POST /emails", "{\"id\": \"" + ID + "\"}")
			.answer("GET /emails/logs", list("emails", MAIL))
			.answer("GET /emails/" + ID, MAIL)
			.answer("GET /emails/" + ID + "/events", list("events",
					"""
							{"type": "email.delivered", "data": {"recipient": "c@d.test"}, "created_at": "2026-11-21T09:30:00Z"}"""))
			.answer("POST /emails/" + ID + "/cancel", "{\"id\": \"" + ID + "\"}")
			.answer("GET /suppressions",
					list("suppressions",
							"""
									{"id": "%s", "email": "c@d.test", "reason": "bounce", "created_at": "2026-11-21T09:30:00Z"}"""
								.formatted(ID)))
			.answer("POST /suppressions", one("suppression", "{\"email\": \"c@d.test\"}"))
			.answer("DELETE /suppressions/" + ID, "{\"success\": true}")
			.answer("GET /campaigns", list("campaigns", CAMPAIGN))
			.answer("GET /campaigns/" + ID, one("campaign", CAMPAIGN))
			.answer("POST /campaigns/" + ID + "/test", one("email", "{\"id\": \"" + ID + "\"}"))
			.answer("GET /contact-books", list("contactBooks", "{\"id\": \"" + ID + "\", \"name\": \"Readers\"}"))
			.answer("GET /contact-books/" + ID + "/contacts", list("contacts", "{\"email\": \"c@d.test\"}"))
			.answer("POST /contact-books/" + ID + "/contacts/import", """
					{"success": true, "data": {"message": "", "count": 1, "updated": 0, "failed": 0, "errors": []}}""")
			.answer("GET /events",
					"""
							{"success": true, "data": {"events": [{"type": "email.bounced", "created_at": "2026-11-21T09:30:00Z",
							 "data": {"bounce": {"type": "hard", "diagnostic": "550 \\u001b[2J"}}}], "has_more": false}}""")
			.answer("GET /templates", list("templates", TEMPLATE))
			.answer("GET /templates/" + ID, one("template", TEMPLATE))
			.answer("GET /webhooks/endpoints", list("endpoints", "{\"id\": \"" + ID + "\", \"events\": []}"))
			.answer("POST /webhooks/endpoints", one("endpoint", "{\"id\": \"" + ID + "\", \"secret\": \"whsec_eA==\"}"))
			.answer("GET /webhooks/event-types", one("event_types", "[{\"type\": \"email.bounced\"}]"))
			.answer("GET /webhooks/endpoints/" + ID + "/deliveries", list("deliveries", "{\"id\": \"" + ID + "\"}"))
			.answer("POST /webhooks/deliveries/" + ID + "/redeliver", one("delivery", "{}"))
			.answer("POST /webhooks/endpoints/" + ID + "/recover", "{\"success\": true, \"data\": {\"queued\": 0}}")
			.answer("GET /webhooks/listen/secret", one("secret", "\"whsec_eA==\""))
			.answer("GET /webhooks/listen", 200, "text/event-stream", """
					id:c0

					id:c1
					data:{"headers":{"webhook-id":"e1"},"body":"{\\"id\\":\\"e1\\",\\"type\\":\\"email.bounced\\"}"}

					""")
			.answer("POST /hook", "{}")
			.answer("POST /oauth/device_authorization", """
					{"device_code": "secret", "user_code": "BXQR-TKLM", "verification_uri": "https://mail.test/device",
					 "verification_uri_complete": "https://mail.test/device?code=BXQR-TKLM", "expires_in": 600,
					 "interval": 1}""");
	}

	private void actsOfCampaigns() {
		for (String act : List.of("pause", "resume", "schedule", "start")) {
			this.stub.answer("POST /campaigns/" + ID + "/" + act, one("campaign", CAMPAIGN));
		}
	}

	private static String one(String name, String value) {
		return "{\"success\": true, \"data\": {\"" + name + "\": " + value + "}}";
	}

}
