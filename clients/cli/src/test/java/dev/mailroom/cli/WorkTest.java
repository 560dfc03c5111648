package dev.mailroom.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.cli.Stub.Request;
import dev.mailroom.cli.Stub.Result;
import dev.mailroom.sdk.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Commands that keep files: templates, imports and calls to this computer. */
class WorkTest {

	private static final String ID = "0199f0a4-be44-7f35-9041-92a3b4c5d6e7";

	private static final String IMPORT = "POST /contact-books/" + ID + "/contacts/import";

	@TempDir
	private Path home;

	private Stub stub;

	@BeforeEach
	void start() throws IOException {
		this.stub = new Stub(this.home).signedIn();
	}

	@AfterEach
	void stop() {
		this.stub.close();
	}

	@Test
	void aPushAfterAPullChangesNothingAndAConflictIsRefused() throws IOException {
		Path mails = this.home.resolve("mails");
		template("Hi", "<p>Hi {{name|friend}}</p>\n", "2026-11-21T09:30:00.000Z");
		assertThat(this.stub.run("templates", "pull", mails.toString()).code()).isZero();
		assertThat(this.stub.run("templates", "push", mails.toString()).out()).contains("unchanged");
		assertThat(this.stub.run("templates", "pull", mails.toString()).out()).contains("unchanged");
		assertThat(changes()).isZero();

		Path html = mails.resolve("welcome/content.html");
		Files.writeString(html, Files.readString(html) + "<p>{{plan}}</p>\n");
		String dry = this.stub.show("templates", "push", mails.toString(), "--dry-run").out();
		assertThat(dry).contains("changed", "html +1 −0", "new variables plan", "Nothing was pushed");
		assertThat(this.stub.run("templates", "diff", mails.resolve("welcome").toString()).out())
			.contains("+<p>{{plan}}</p>");
		assertThat(changes()).isZero();

		template("Hello", "<p>Other</p>", "2026-11-22T09:30:00.000Z");
		Result refused = this.stub.run("templates", "push", mails.toString());
		assertThat(refused.code()).isEqualTo(1);
		assertThat(refused.out()).contains("CONFLICT");
		assertThat(this.stub.run("templates", "pull", mails.toString()).code()).as("also a pull").isEqualTo(1);
		assertThat(changes()).isZero();
		assertThat(this.stub.run("templates", "push", mails.toString(), "--force").code()).isZero();
		assertThat(changes()).isOne();
	}

	@Test
	void aPushFillsAnEmptyAccount() throws IOException {
		Path mails = this.home.resolve("mails");
		template("Hi", "<p>Hi</p>", "2026-11-21T09:30:00.000Z");
		this.stub.run("templates", "pull", mails.toString());
		this.stub.answer("GET /templates", list("templates", ""));
		this.stub.answer("POST /templates", "{\"success\": true, \"data\": {\"template\": {\"id\": \"" + ID + "\"}}}");
		assertThat(this.stub.run("templates", "push", mails.toString()).out()).contains("\"new\"");
		Request created = this.stub.requests.get(this.stub.requests.size() - 1);
		assertThat(new Value(Json.read(created.body())).at("html_content").raw()).isEqualTo("<p>Hi</p>");
	}

	@Test
	void mjmlIsRenderedAndItsSourceIsKept() throws IOException {
		Path mails = folder("welcome", "{\"name\": \"Welcome\", \"subject\": \"Hi {{name|friend}}\"}");
		Files.writeString(mails.resolve("welcome/content.mjml"), """
				<mjml><mj-body><mj-include path="../parts/head.mjml" /><mj-section><mj-column>
				<mj-text>Hi {{name|friend}}</mj-text><mj-button href="{{url}}">Start</mj-button>
				</mj-column></mj-section></mj-body></mjml>""");
		Files.writeString(Files.createDirectories(mails.resolve("parts")).resolve("head.mjml"),
				"<mj-section><mj-column><mj-text>The shop</mj-text></mj-column></mj-section>");
		String html = pushed(mails).at("html_content").raw();
		assertThat(html).startsWith("<!doctype html>")
			.contains("Hi {{name|friend}}", "href=\"{{url}}\"", "The shop", "<table")
			.doesNotContain("<mj-");

		template("Hi {{name|friend}}", html, "2026-11-21T09:30:00.000Z");
		assertThat(this.stub.run("templates", "push", mails.toString()).out()).contains("unchanged");
		assertThat(this.stub.run("templates", "pull", mails.toString()).out()).contains("unchanged");
		template("Hi {{name|friend}}", "<p>Other</p>", "2026-11-22T09:30:00.000Z");
		assertThat(this.stub.run("templates", "pull", mails.toString(), "--force").out()).contains("CONFLICT",
				"its source is kept");
		assertThat(mails.resolve("welcome/content.html")).doesNotExist();

		for (String wrong : List.of("<p>Hi</p>", "<mjml><mj-body><mj-sektion /></mj-body></mjml>",
				"<mjml><mj-body><mj-include path=\"none.mjml\" /></mj-body></mjml>")) {
			Files.writeString(mails.resolve("welcome/content.mjml"), wrong);
			Result broken = this.stub.run("templates", "push", mails.toString());
			assertThat(broken.code()).as(wrong).isEqualTo(2);
			assertThat(broken.err()).contains("content.mjml: ");
		}
	}

	@Test
	void aFolderOfPostmarkIsAcceptedWithItsLayout() throws IOException {
		Path mails = folder("welcome", """
				{"Name": "Welcome", "Alias": "welcome", "Subject": "Hi {{name}}", "TemplateType": "Standard",
				 "LayoutTemplate": "basic"}""");
		Files.writeString(mails.resolve("welcome/content.html"), "<p>Hi {{ name }}, it costs $1</p>");
		Files.writeString(mails.resolve("welcome/content.txt"), "Hi {{name}}");
		Path layout = Files.createDirectories(mails.resolve("_layouts/basic"));
		Files.writeString(layout.resolve("meta.json"), "{\"Name\": \"Basic\", \"TemplateType\": \"Layout\"}");
		Files.writeString(layout.resolve("content.html"), "<body>{{{ @content }}}</body>");
		Files.writeString(layout.resolve("content.txt"), "{{{@content}}}\n-- \nShop");
		Value body = pushed(mails);
		assertThat(body.at("name").raw()).isEqualTo("Welcome");
		assertThat(body.at("subject").raw()).isEqualTo("Hi {{name}}");
		assertThat(body.at("html_content").raw()).isEqualTo("<body><p>Hi {{ name }}, it costs $1</p></body>");
		assertThat(body.at("text_content").raw()).isEqualTo("Hi {{name}}\n-- \nShop");

		Files.writeString(mails.resolve("welcome/content.html"), "{{#each items}}<li>{{this}}</li>{{/each}}");
		Result refused = this.stub.run("templates", "push", mails.toString());
		assertThat(refused.code()).isEqualTo(2);
		assertThat(refused.err()).contains("{{#each items}}");
	}

	private Path folder(String name, String meta) throws IOException {
		Path mails = this.home.resolve("mails");
		Files.writeString(Files.createDirectories(mails.resolve(name)).resolve("meta.json"), meta);
		return mails;
	}

	/** The template that a push into an empty account creates. */
	private Value pushed(Path mails) {
		this.stub.answer("GET /templates", list("templates", ""));
		this.stub.answer("POST /templates", "{\"success\": true, \"data\": {\"template\": {\"id\": \"" + ID + "\"}}}");
		Result result = this.stub.run("templates", "push", mails.toString());
		assertThat(result.code()).as(result.err()).isZero();
		return new Value(Json.read(this.stub.requests.get(this.stub.requests.size() - 1).body()));
	}

	@Test
	void anImportThatWasInterruptedGoesOnAndALaterOneBeginsAnew() throws IOException {
		Path file = this.home.resolve("readers.csv");
		Files.writeString(file,
				IntStream.range(0, 12_000)
					.mapToObj((i) -> "r" + i + "@example.test,\"line\nbreak\",Graz")
					.collect(Collectors.joining("\n", "E-Mail,Note,City\n", "\n")));
		this.stub.answer("GET /contact-books",
				list("contactBooks", "{\"id\": \"" + ID + "\", \"name\": \"Newsletter\"}"));
		String[] command = { "contacts", "import", file.toString(), "--book", "newsletter", "--map",
				"E-Mail=email,City=properties.city" };
		this.stub.answer(IMPORT, result(4_999, "{\"line\": 6, \"field\": \"email\", \"message\": \"is invalid\"}"));
		this.stub.failAfter(IMPORT, 2);
		assertThat(this.stub.run(command).code()).isEqualTo(7);
		assertThat(keys().distinct()).hasSize(3);
		this.stub.failAfter(IMPORT, Integer.MAX_VALUE);
		Result result = this.stub.run(command);
		assertThat(result.code()).as(result.err()).isZero();
		assertThat(new Value(Json.read(result.out())).at("rows").number()).isEqualTo(12_000);
		assertThat(keys().distinct()).as("the last part has the same key").hasSize(3);
		assertThat(this.stub.requests.get(1).body()).startsWith("email,Note,city");
		// Line 6 of a part is its third row, as each row has two lines.
		assertThat(Files.readAllLines(this.home.resolve("readers.skipped.csv"))).contains("email,Note,city,error")
			.anyMatch((line) -> line.startsWith("r2@"))
			.anyMatch((line) -> line.startsWith("r5002@"));
		this.stub.run(command);
		assertThat(keys().distinct()).hasSize(6);
	}

	@Test
	void callsAreForwardedUnchangedAndContinueAfterTheLastOne() {
		String body = "{\"id\":\"e1\",\"type\":\"email.bounced\",\"data\":{\"a\":\"ü \"}}";
		this.stub.answer("GET /webhooks/listen/secret", "{\"success\": true, \"data\": {\"secret\": \"whsec_eA==\"}}")
			.answer("POST /hooks", 500, "application/json", "{\"error\":\"no user\"}")
			.answer("GET /webhooks/listen", 200, "text/event-stream",
					"id:c0\n\n:waiting\n\nid:c1\nevent:email.bounced\ndata:" + Json
						.write(Map.of("body", body, "headers", Map.of("webhook-id", "e1", "webhook-signature", "v1,x")))
							+ "\n\n");
		String target = this.stub.url.substring("http://".length()) + "/hooks?t=1";
		Result result = this.stub.show("webhooks", "listen", "--forward-to", target, "--count", "1");
		assertThat(result.code()).as(result.err()).isZero();
		assertThat(result.out()).contains("email.bounced", "/hooks?t=1", "500", "no user");
		Request call = this.stub.requests.get(this.stub.requests.size() - 1);
		assertThat(call.uri()).isEqualTo("/hooks?t=1");
		assertThat(call.body()).isEqualTo(body);
		assertThat(call.headers()).containsEntry("webhook-id", "e1").containsEntry("webhook-signature", "v1,x");
		this.stub.run("webhooks", "listen", "--forward-to", target, "--count", "1");
		assertThat(this.stub.requests).anyMatch((request) -> request.uri().endsWith("/webhooks/listen?after=c1"));
		assertThat(this.stub.show("webhooks", "listen", "--print-secret").out()).isEqualTo("whsec_eA==\n");
	}

	@Test
	void aMailWhoseStateCannotBeReadIsShownAsAccepted() {
		this.stub.answer("POST /emails", "{\"id\": \"" + ID + "\"}").refuse("GET /emails/" + ID, 403, "forbidden");
		Result result = this.stub.run("send", "--from", "a@b.test", "--to", "c@d.test", "--subject", "Hi", "--text",
				"x", "--wait");
		assertThat(result.code()).isEqualTo(4);
		assertThat(new Value(Json.read(result.out())).at("id").raw()).isEqualTo(ID);
	}

	@Test
	void anInterruptionHasItsExitCode() throws Exception {
		this.stub.answer("GET /events", 200, "text/event-stream", "id:c0\n\n");
		Process process = start("logs", "--follow");
		await(() -> !this.stub.requests.isEmpty());
		assertThat(interrupted(process)).isEqualTo(130);
	}

	@Test
	void anInterruptedImportContinuesWithItsOpenPart() throws Exception {
		Path file = this.home.resolve("readers.csv");
		Files.writeString(file, rows(12_000));
		this.stub.answer("GET /contact-books",
				list("contactBooks", "{\"id\": \"" + ID + "\", \"name\": \"Newsletter\"}"));
		this.stub.answer(IMPORT, result(5_000, ""));
		this.stub.hangAfter(IMPORT, 1);
		String[] command = { "contacts", "import", file.toString(), "--book", "newsletter" };
		Process process = start(command);
		await(() -> keys().count() == 2);
		assertThat(interrupted(process)).isEqualTo(130);
		this.stub.failAfter(IMPORT, Integer.MAX_VALUE);
		Result result = this.stub.run(command);
		assertThat(result.code()).as(result.err()).isZero();
		assertThat(keys().toList()).hasSize(4);
		assertThat(keys().distinct()).as("the open part has the same key").hasSize(3);
	}

	@Test
	void anImportShowsItsProgressOnATerminalOnly() throws IOException {
		Path file = this.home.resolve("readers.csv");
		Files.writeString(file, rows(12_000));
		this.stub.answer("GET /contact-books",
				list("contactBooks", "{\"id\": \"" + ID + "\", \"name\": \"Newsletter\"}"));
		this.stub.answer(IMPORT, result(5_000, ""));
		String[] command = { "contacts", "import", file.toString(), "--book", "newsletter" };
		assertThat(terminal("", command)).contains("5000 / 12000", "10000 / 12000");
		assertThat(this.stub.run(command).err()).as("the log of a build").isEmpty();
	}

	@Test
	void aDomainWhoseRecordsAreNotFoundInTimeHasAnExitCode() {
		String domain = "{\"id\": \"" + ID + "\", \"name\": \"shop.test\", \"status\": \"pending\", \"records\": []}";
		this.stub.answer("GET /domains", list("domains", domain))
			.answer("POST /domains/" + ID + "/verify", "{\"success\": true, \"data\": {\"domain\": " + domain + "}}");
		assertThat(this.stub.run("domains", "verify", "shop.test", "--wait", "6s").code()).isEqualTo(8);
		assertThat(this.stub.requests.stream().filter((one) -> one.uri().endsWith("/verify"))).as("looks").hasSize(2);
	}

	@Test
	void aWatchedCampaignShowsItsProgressAndPausesByAKey() throws IOException {
		campaign("running", 10);
		this.stub.answer("POST /campaigns/" + ID + "/pause", "{\"success\": true, \"data\": {}}");
		CompletableFuture<Void> server = CompletableFuture.runAsync(() -> {
			await(() -> looks() >= 2);
			campaign("running", 20);
			await(() -> this.stub.requests.stream().anyMatch((one) -> one.uri().endsWith("/pause")));
			campaign("paused", 30);
		});
		String out = terminal("p", "campaigns", "status", "news", "--watch");
		assertThat(out).contains("p pauses", "running  10 / 100", "paused  30 / 100");
		server.join();
	}

	private long looks() {
		return this.stub.requests.stream().filter((one) -> one.uri().endsWith("/campaigns/" + ID)).count();
	}

	private void campaign(String status, int sent) {
		String campaign = """
				{"id": "%s", "name": "news", "status": "%s", "sent_count": %d, "total_contacts": 100,
				 "delivered_count": 0, "bounced_count": 0, "complained_count": 0}""".formatted(ID, status, sent);
		this.stub.answer("GET /campaigns", list("campaigns", campaign))
			.answer("GET /campaigns/" + ID, "{\"success\": true, \"data\": {\"campaign\": " + campaign + "}}");
	}

	private static String rows(int count) {
		return IntStream.range(0, count)
			.mapToObj((i) -> "r" + i + "@example.test")
			.collect(Collectors.joining("\n", "email\n", "\n"));
	}

	/** Starts the program as a process of its own. */
	private Process start(String... arguments) throws IOException {
		// A build in the background ignores the signal, and so would the program.
		ProcessBuilder builder = new ProcessBuilder(
				Stream.concat(Stream.of("env", "--default-signal=INT"), program(arguments)).toList());
		builder.environment().putAll(this.stub.environment);
		return builder.start();
	}

	private static Stream<String> program(String... arguments) {
		return Stream.concat(Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), "dev.mailroom.cli.Main"), Stream.of(arguments));
	}

	private static int interrupted(Process process) throws Exception {
		new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return process.exitValue();
	}

	/** Runs the program in a terminal of its own; its screen. */
	private String terminal(String keys, String... arguments) throws IOException {
		ProcessBuilder builder = new ProcessBuilder("script", "-qec",
				program(arguments).map((word) -> "'" + word + "'").collect(Collectors.joining(" ")), "/dev/null");
		builder.environment().putAll(this.stub.environment);
		Process process = builder.redirectErrorStream(true).start();
		process.getOutputStream().write(keys.getBytes(StandardCharsets.US_ASCII));
		process.getOutputStream().flush();
		return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
	}

	private static void await(BooleanSupplier condition) {
		long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
		while (!condition.getAsBoolean() && System.nanoTime() < end) {
			LockSupport.parkNanos(10_000_000);
		}
		assertThat(condition.getAsBoolean()).isTrue();
	}

	@Test
	void aListOfCallsUsesEarlierAnswers() {
		this.stub.answer("POST /domains", "{\"data\": {\"domain\": {\"id\": \"d1\"}}}")
			.answer("POST /domains/d1/verify", "{}");
		Result result = this.stub.run("""
				[{"call": "POST /domains", "body": {"name": "shop.test"}, "as": "it"},
				 {"call": "POST /domains/{{it.data.domain.id}}/verify"}]""", false, "trigger", "-f", "-");
		assertThat(result.code()).as(result.err()).isZero();
		assertThat(this.stub.requests.get(1).uri()).isEqualTo("/api/domains/d1/verify");
	}

	private Stream<String> keys() {
		return this.stub.requests.stream()
			.map((request) -> request.headers().get("idempotency-key"))
			.filter((key) -> key != null);
	}

	private long changes() {
		return this.stub.requests.stream().filter((request) -> !request.method().equals("GET")).count();
	}

	private void template(String subject, String html, String updated) {
		String template = Json.write(
				Map.of("id", ID, "name", "Welcome", "subject", subject, "html_content", html, "updated_at", updated));
		this.stub.answer("GET /templates", list("templates", template));
		this.stub.answer("GET /templates/" + ID, "{\"success\": true, \"data\": {\"template\": " + template + "}}");
		this.stub.answer("PATCH /templates/" + ID, "{\"success\": true, \"data\": {\"template\": " + template + "}}");
	}

	private static String list(String name, String item) {
		return "{\"success\": true, \"data\": {\"" + name + "\": [" + item
				+ "], \"pagination\": {\"next_cursor\": null}}}";
	}

	private static String result(int count, String error) {
		return "{\"success\": true, \"data\": {\"message\": \"\", \"count\": " + count
				+ ", \"updated\": 0, \"failed\": 1, \"errors\": [" + error + "]}}";
	}

}
