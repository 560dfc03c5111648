package dev.mailroom.system;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.mailroom.Await;
import dev.mailroom.domain.TestDns;
import dev.mailroom.process.Mailroom;
import dev.mailroom.process.Web;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Third-party clients from npm, the SDKs, the examples of the documentation and the load
 * tests, against the standalone.
 */
@Order(3)
class ForeignClientsTest {

	private static final Duration TIMEOUT = Duration.ofMinutes(1);

	private static final Path CLIENTS = Path.of("src/test/clients");

	private static final Path GENERATED = Path.of("target/clients");

	private static final Path JAVA_SDK = Path.of("../clients/java/target").toAbsolutePath();

	/** Calls the routes of the example for Next, as Next does. */
	private static final String CALL_ORDERS = """
			import { POST } from './next/app/api/orders/route.js';
			const body = JSON.stringify({ order: 17, address: 'ann@example.test' });
			for (let i = 0; i < 2; i++) console.log(await (await POST(new Request('http://x', { method: 'POST', body }))).json());
			""";

	private static final String CALL_WEBHOOK = """
			import { sign } from '@mailroom/sdk';
			import { POST } from './next/app/api/mailroom/route.js';
			const data = { email_id: '0199f0a4-8b11-7c02-8d1e-6f7081920a1b', recipient: 'gone@example.test',
			  bounce: { type: 'hard', reason: 'unknown_recipient', code: '5.1.1', diagnostic: '550' } };
			const body = JSON.stringify({ id: 'evt', type: 'email.bounced', created_at: new Date().toISOString(), data });
			const headers = sign(body, process.env.MAILROOM_WEBHOOK_SECRET, 'evt');
			console.log((await POST(new Request('http://x', { method: 'POST', body, headers }))).status);
			console.log((await POST(new Request('http://x', { method: 'POST', body: body + ' ', headers }))).status);
			""";

	private static final String PERSON = """
			{"email": "ada@clients.test", "password": "correct horse battery"}""";

	@TempDir
	private static Path temporary;

	private static S3Server bucket;

	private static Mailroom mailroom;

	private static Web api;

	private static Map<String, String> settings;

	private static TestDns dns;

	private static String person;

	@BeforeAll
	static void start() throws Exception {
		bucket = new S3Server(CLIENTS, temporary.resolve("s3"));
		dns = new TestDns();
		Map<String, String> environment = new HashMap<>(bucket.settings());
		environment.put("MAILROOM_DNS_SERVERS", dns.address());
		environment.put("MAILROOM_TRACKING_HOST", "links.clients.test");
		environment.put("MAILROOM_OPERATOR_EMAIL", "ada@clients.test");
		environment.put("MAILROOM_OPERATOR_PASSWORD", "correct horse battery");
		mailroom = Mailroom.begin(temporary.resolve("data"), environment).ready();
		api = new Web(mailroom.port("API"));
		Await.until("the operator exists", TIMEOUT, () -> api.post("/api/auth/login", PERSON).status() == 200);
		String token = api.post("/api/auth/login", PERSON).json(200).at("/data/access_token").stringValue();
		api.use(token);
		person = token;
		String domain = api.post("/api/domains", """
				{"name": "clients.test"}""").json(201).at("/data/domain/id").stringValue();
		api.post("/api/domains/" + domain + "/verify", "").json(200);
		String key = api.post("/api/api-keys", """
				{"domainId": "%s", "keyName": "clients"}""".formatted(domain))
			.json(201)
			.at("/data/apiKey/key")
			.stringValue();
		String accountKey = api.post("/api/api-keys", """
				{"account": true, "keyName": "sdk", "permissions": ["send", "domains.write", "templates.write",
				 "contacts.write", "campaigns.write", "campaigns.send", "suppressions.write", "webhooks.write",
				 "events.read", "usage.read"]}""").json(201).at("/data/apiKey/key").stringValue();
		Path document = Files.createDirectories(GENERATED).resolve("openapi.json").toAbsolutePath();
		Files.writeString(document, api.get("/openapi.json").body());
		String url = "http://localhost:" + mailroom.port("API");
		settings = new HashMap<>(Map.of("MAILROOM_URL", url + "/api", "MAILROOM_API_KEY", accountKey, "SMTP_PORT",
				Integer.toString(mailroom.port("Submission")), "MAILROOM_WEBHOOK_SECRET",
				"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "CURL_HOME",
				temporary.resolve("examples").toString()));
		settings.putAll(Map.of("OPENAPI", document.toString(), "RESEND_BASE_URL", url + "/api", "MCP_URL", url + "/mcp",
				"COMPAT_URL", url + "/compat/resend", "RESEND_API_KEY", key, "ACCOUNT_KEY", accountKey, "ACCESS_TOKEN",
				token, "DOMAIN", "clients.test", "SUBMISSION_PORT", Integer.toString(mailroom.port("Submission")),
				"INBOUND_PORT", Integer.toString(mailroom.port("Inbound"))));
		settings.put("MAILBOX", "http://localhost:" + mailroom.port("Mailbox"));
		settings.putAll(Map.of("MAILROOM_API", url, "MAILROOM_ADMIN", "http://localhost:" + mailroom.port("Admin"),
				"MAILROOM_MAILBOX", "http://localhost:" + mailroom.port("Mailbox"), "MAILROOM",
				String.join(" ", CliJourney.command())));
	}

	@AfterAll
	static void stop() throws Exception {
		mailroom.close();
		api.close();
		bucket.close();
		dns.close();
	}

	@Test
	void largeAttachmentsAreStoredInS3AndDelivered() throws Exception {
		String large = "U2l4dGVlbiBieXRlcyEh".repeat(10_000);
		String id = sent("""
				{"from": "a@clients.test", "to": ["large@to.test"], "subject": "Large", "text": "Hi",
				 "attachments": [{"filename": "a.bin", "content": "%s"}]}""".formatted(large));
		assertThat(bucket.keys()).anyMatch((key) -> key.contains("/" + id + "/0"));
		try (Web mailbox = new Web(mailroom.port("Mailbox"))) {
			Await.until("the large mail arrives", TIMEOUT,
					() -> !mailbox.get("/messages?to=large@to.test").json(200).get("messages").isEmpty());
			String mail = mailbox.get("/messages?to=large@to.test").json(200).at("/messages/0/id").asString();
			assertThat(mailbox.get("/messages/" + mail + "/raw").body().replaceAll("\\s", "")).contains(large);
		}
	}

	@Test
	void resendsClientSendsReadsReschedulesAndCancels() throws Exception {
		assertThat(run("node", "resend.mjs")).contains("resend passed");
	}

	@Test
	void resendsClientPassesItsWholeScriptOnTheRoutesForIt() throws Exception {
		assertThat(run("node", "compat.mjs")).contains("compat passed");
	}

	@Test
	void nodemailerSubmitsOverSmtpWithAnApiKey() throws Exception {
		String output = run("node", "nodemailer.mjs");
		assertThat(output).contains("nodemailer passed: ");
		String id = output.substring(output.lastIndexOf(' ') + 1).strip();
		try (Web mailbox = new Web(mailroom.port("Mailbox")); Web sender = new Web(mailroom.port("API"))) {
			sender.use(settings.get("RESEND_API_KEY"));
			Await.until("the mail by SMTP arrives", TIMEOUT,
					() -> mailbox.get("/messages?to=hidden@babbage.test").json(200).at("/messages/0").isObject());
			JsonNode caught = mailbox.get("/messages?to=hidden@babbage.test").json(200).at("/messages/0");
			assertThat(caught.get("subject").stringValue()).isEqualTo("Nötes by SMTP");
			assertThat(caught.get("html").stringValue()).contains("cid:loom");
			assertThat(caught.at("/headers/To").stringValue()).contains("charles@babbage.test");
			String raw = mailbox.get("/messages/" + caught.get("id").stringValue() + "/raw").body();
			assertThat(raw).contains("notes.txt", "Content-ID: <loom>").doesNotContain("hidden@");
			JsonNode shown = sender.get("/api/emails/" + id).json(200);
			assertThat(shown.get("to").toString()).isEqualTo("[\"Charles <charles@babbage.test>\"]");
			assertThat(shown.get("recipients")).hasSize(2);
		}
	}

	@Test
	void theClientsOfStandardWebhooksSvixAndResendVerifyCalls() throws Exception {
		assertThat(run("node", "webhooks.mjs")).contains("webhooks passed");
	}

	@Test
	void resendsMcpServerSends() throws Exception {
		assertThat(run("node", "mcp.mjs")).contains("resend-mcp passed");
	}

	@Test
	void theConformanceSuiteOfMcpPasses() throws Exception {
		assertThat(run("node", "conformance.mjs")).contains("conformance passed 4");
	}

	@Test
	void aValidatingProxyFindsEveryResponseOfAJourneyInTheOpenApiDocument() throws Exception {
		assertThat(run("node", "prism.mjs")).contains("prism passed ");
	}

	@Test
	void theTypeScriptSdkCallsEachOperationThroughAValidatingProxy() throws Exception {
		assertThat(run("node", "covered.mjs", "node", "sdk.mjs")).contains("typescript sdk passed", "covered ");
	}

	/** With the default Java, which may be older than that of the build. */
	@Test
	void theJavaSdkCallsEachOperationThroughAValidatingProxy() throws Exception {
		String classpath = JAVA_SDK.resolve("classes") + File.pathSeparator + JAVA_SDK.resolve("test-classes");
		assertThat(run("node", "covered.mjs", "java", "-cp", classpath, "dev.mailroom.sdk.program.AllOperations"))
			.contains("java sdk passed", "covered ");
	}

	@Test
	void theOutboxOfTestsRefusesWhatTheServerRefuses() throws Exception {
		Path target = Path.of("../clients/spring-boot-test/target").toAbsolutePath();
		String classpath = String.join(File.pathSeparator, target.resolve("classes").toString(),
				target.resolve("test-classes").toString(), Files.readString(target.resolve("classpath")).strip());
		assertThat(run("env", "MAILROOM_URL=" + settings.get("RESEND_BASE_URL"),
				"MAILROOM_API_KEY=" + settings.get("RESEND_API_KEY"), "java", "-cp", classpath,
				"dev.mailroom.spring.test.SameRefusals"))
			.contains("refusals passed");
	}

	@Test
	void anApplicationMovesFromSpringMailByItsDependencyAndTwoProperties() throws Exception {
		Path target = Path.of("../examples/spring/target").toAbsolutePath();
		String moved = target.resolve("classes") + File.pathSeparator
				+ Files.readString(target.resolve("classpath")).strip();
		String before = Stream
			.concat(Stream.of(moved.split(File.pathSeparator))
				.filter((entry) -> !entry.contains("mailroom-java") && !entry.contains("mailroom-spring")
						&& !entry.contains("/clients/")),
					Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
						.filter((entry) -> entry.contains("/spring-boot-mail/")))
			.collect(Collectors.joining(File.pathSeparator));
		try (Shop smtp = new Shop(before, "--spring.mail.host=127.0.0.1", "--spring.mail.username=any",
				"--spring.mail.port=" + settings.get("SUBMISSION_PORT"),
				"--spring.mail.password=" + settings.get("RESEND_API_KEY"),
				"--spring.mail.properties.mail.smtp.auth=true",
				"--spring.mail.properties.mail.smtp.starttls.enable=true",
				"--spring.mail.properties.mail.smtp.ssl.trust=*");
				Shop mime = new Shop(moved, "--mailroom.url=" + settings.get("RESEND_BASE_URL"),
						"--mailroom.api-key=" + settings.get("RESEND_API_KEY"))) {
			List<String> parts = parts(mime.order("moved@to.test"));
			assertThat(parts).isEqualTo(parts(smtp.order("before@to.test"))).hasSize(5);
			assertThat(mime.health()).contains("\"mailroom\":{", "\"key\":\"clients\"");
		}
	}

	/** The parts of a message that has arrived: type, name and content. */
	private static List<String> parts(String recipient) throws Exception {
		try (Web mailbox = new Web(mailroom.port("Mailbox"))) {
			String messages = "/messages?to=" + recipient;
			Await.until("the mail to " + recipient, TIMEOUT,
					() -> !mailbox.get(messages).json(200).get("messages").isEmpty());
			String id = mailbox.get(messages).json(200).at("/messages/0/id").asString();
			MimeMessage message = new MimeMessage(Session.getInstance(new Properties()), new ByteArrayInputStream(
					mailbox.get("/messages/" + id + "/raw").body().getBytes(StandardCharsets.UTF_8)));
			List<String> parts = new ArrayList<>(List.of(message.getSubject() + " " + message.getFrom()[0]));
			collect(message, parts);
			return parts;
		}
	}

	private static void collect(Part part, List<String> parts) throws Exception {
		if (part.getContent() instanceof Multipart multipart) {
			for (int i = 0; i < multipart.getCount(); i++) {
				collect(multipart.getBodyPart(i), parts);
			}
		}
		else {
			String content = Base64.getEncoder().encodeToString(part.getInputStream().readAllBytes());
			parts.add(part.getContentType().replaceAll("\\s+", " ") + " " + part.getDisposition() + " "
					+ part.getFileName() + " " + content);
		}
	}

	@Test
	void theCommandLeadsFromAnEmptyHomeDirectoryToDeliveredMail() throws Exception {
		CliJourney journey = new CliJourney(Files.createDirectories(temporary.resolve("home")), mailroom, dns);
		journey.signIn(person);
		journey.verifyDomain();
		journey.sendAndWait();
		journey.listen();
		journey.templates();
		journey.templatesOfOtherSources();
		journey.contactsAndCampaign();
	}

	@Test
	void typesGeneratedFromTheOpenApiDocumentCompile() throws Exception {
		String document = settings.get("OPENAPI");
		run("node", "node_modules/openapi-typescript/bin/cli.js", document, "-o",
				Path.of(document).resolveSibling("api.d.ts").toString());
		run("node", "node_modules/typescript/bin/tsc", "--project", ".");
	}

	/** Programs of the pages, and the subject of the mail that each sends to Ann. */
	@ParameterizedTest(name = "{0}")
	@CsvSource(nullValues = "-",
			textBlock = """
					bash -eu curl/send.sh, "id":"[0-9a-f-]+", Hello from curl
					bash cli/first-mail.sh, ^delivered, Hello from the command
					node node/send.mjs, delivered, Hello from Node
					node --input-type=module -e CALL_ORDERS, id, Hello from Next
					java java/Send.java, delivered, Hello from Java
					python3 python/send.py, ^[0-9a-f-]+, Hello from Python
					node smtp/send.mjs, Accepted as, Hello from SMTP
					node node/retries.mjs, true true, Receipt of order 17
					node node/templates.mjs, without a value: \\[ 'code' ], 'Welcome, Ann'
					node node/campaign.mjs, '', Spring news for Ann
					node node/errors.mjs, ^to, -
					node node/lists.mjs, ^true$, -
					node node/inbound.mjs, charles@babbage.test To the shop, -
					node --input-type=module -e CALL_WEBHOOK, gone@example.test bounced: unknown_recipient\\n2\\d\\d\\n4\\d\\d, -
					""")
	void anExampleOfTheDocumentationSendsItsMail(String command, String output, @Nullable String subject)
			throws Exception {
		List<String> words = Stream.of(command.split(" ")).flatMap((word) -> switch (word) {
			case "java" -> Stream.of("java", "-cp", JAVA_SDK.resolve("classes").toString());
			case "CALL_ORDERS" -> Stream.of(CALL_ORDERS);
			case "CALL_WEBHOOK" -> Stream.of(CALL_WEBHOOK);
			default -> Stream.of(word);
		}).toList();
		assumeTrue(
				isInstalled(words.getFirst()) && (!command.contains(".sh") || isInstalled("curl"))
						&& (!command.contains("cli/") || isInstalled("jq")),
				"SKIPPED: a program of the example is not installed: " + command);
		String printed = run(examples(), words.toArray(String[]::new));
		assertThat(printed).containsPattern(Pattern.compile(output, Pattern.MULTILINE));
		if (subject != null) {
			try (Web mailbox = new Web(mailroom.port("Mailbox"))) {
				Await.until("the mail of " + command + " arrives", TIMEOUT, () -> received(mailbox, subject) == 1);
			}
		}
	}

	private static long received(Web mailbox, String subject) throws Exception {
		return mailbox.get("/messages?to=ann@example.test")
			.json(200)
			.get("messages")
			.valueStream()
			.filter((mail) -> mail.get("subject").stringValue().equals(subject))
			.count();
	}

	private static boolean isInstalled(String program) {
		return Stream.of(System.getenv("PATH").split(File.pathSeparator))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

	/** The examples with the packages that they import, as npm would install them. */
	private static Path examples() throws Exception {
		Path examples = temporary.resolve("examples");
		if (!Files.exists(examples)) {
			FileSystemUtils.copyRecursively(Path.of("../examples"), examples);
			Path modules = Files.createDirectories(examples.resolve("node_modules/@mailroom"));
			Files.createSymbolicLink(modules.resolve("sdk"), Path.of("../clients/typescript").toRealPath());
			Files.createSymbolicLink(modules.resolveSibling("nodemailer"),
					CLIENTS.resolve("node_modules/nodemailer").toRealPath());
			Files.writeString(examples.resolve(".curlrc"),
					"connect-to = localhost:8025:localhost:%d\n".formatted(mailroom.port("Mailbox")));
			String domain = api.post("/api/domains", "{\"name\": \"shop.test\"}")
				.json(201)
				.at("/data/domain/id")
				.stringValue();
			api.post("/api/domains/" + domain + "/verify", "").json(200);
			assertThat(Smtp.send(mailroom.port("Inbound"), "charles@babbage.test", "hello@shop.test",
					"From: charles@babbage.test\nSubject: To the shop\n\nHello.\n"))
				.startsWith("250");
		}
		return examples;
	}

	@Test
	@Tag("nightly")
	void theSmokeSimulationOfTheLoadTestsPasses() throws Exception {
		Path load = Path.of("../bench/load/target").toAbsolutePath();
		String classpath = load.resolve("test-classes") + File.pathSeparator
				+ Files.readString(load.resolve("classpath")).strip();
		String output = run(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"--add-opens=java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
				"--sun-misc-unsafe-memory-access=allow", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
				"-Dload.url=http://localhost:" + mailroom.port("API"),
				"-Dload.management=http://localhost:" + mailroom.port("Management"),
				"-Dload.mailbox=http://localhost:" + mailroom.port("Mailbox"), "-Dload.p95=30000", "-cp", classpath,
				"io.gatling.app.Gatling", "--simulation", "dev.mailroom.load.Smoke", "--results-folder",
				load.resolve("gatling").toString());
		assertThat(output).contains("Ledger of smoke-");
	}

	private static String sent(String mail) throws Exception {
		try (Web sender = new Web(mailroom.port("API"))) {
			sender.use(settings.get("RESEND_API_KEY"));
			return sender.post("/api/emails", mail).json(200).get("id").asString();
		}
	}

	/** Output of a program that must exit with 0. */
	private static String run(String... command) throws IOException, InterruptedException {
		return run(CLIENTS, command);
	}

	private static String run(Path directory, String... command) throws IOException, InterruptedException {
		ProcessBuilder builder = new ProcessBuilder(Stream.of(command).toList()).directory(directory.toFile())
			.redirectErrorStream(true);
		builder.environment().putAll(settings);
		Process process = builder.start();
		process.getOutputStream().close();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(List.of(command) + "\n" + output + "\n" + mailroom.output()).isZero();
		return output;
	}

	/** The example of Spring Boot, in a process. */
	private static final class Shop implements AutoCloseable {

		private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

		private final Path log = Files.createTempFile(temporary, "shop", ".log");

		private final Process process;

		Shop(String classpath, String... arguments) throws IOException {
			List<String> command = new ArrayList<>(List.of("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
					classpath, "shop.ShopApplication", "--server.port=0", "--server.address=127.0.0.1",
					"--shop.from=Shop <hello@clients.test>"));
			command.addAll(List.of(arguments));
			this.process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(this.log.toFile())
				.start();
		}

		/** Orders, and returns the address to which the confirmation is sent. */
		String order(String email) throws Exception {
			try (Web shop = new Web(port())) {
				Web.Answer response = shop.post("/orders?number=17&email=" + email, "");
				assertThat(response.status()).as(Files.readString(this.log)).isEqualTo(200);
			}
			return email;
		}

		String health() throws Exception {
			try (Web shop = new Web(port())) {
				return shop.get("/actuator/health").body();
			}
		}

		private int port() throws Exception {
			Await.until("the shop starts or ends", TIMEOUT,
					() -> STARTED.matcher(Files.readString(this.log)).find() || !this.process.isAlive());
			Matcher port = STARTED.matcher(Files.readString(this.log));
			assertThat(port.find()).as(Files.readString(this.log)).isTrue();
			return Integer.parseInt(port.group(1));
		}

		@Override
		public void close() throws InterruptedException {
			this.process.destroyForcibly().waitFor();
		}

	}

}
