package dev.mailroom.worker.send;

import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.domain.PlatformDomain;
import dev.mailroom.tlsreport.OutgoingTlsReports;
import dev.mailroom.tlsreport.TlsReport;
import dev.mailroom.tlsreport.TlsSessionGroup;
import dev.mailroom.worker.Dkimpy;
import dev.mailroom.worker.Postfix;
import dev.mailroom.worker.Programs;
import dev.mailroom.worker.report.ReportMails;
import dev.mailroom.worker.report.TlsReportSender;
import dev.mailroom.worker.smtp.client.TlsSessions;
import org.apache.james.jdkim.DKIMVerifier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.worker.send.SendEnvironment.CERTIFICATE;
import static dev.mailroom.worker.send.SendEnvironment.DNS;
import static dev.mailroom.worker.send.SendEnvironment.PLATFORM;
import static dev.mailroom.worker.send.SendEnvironment.SMTP;
import static dev.mailroom.worker.send.SendEnvironment.attempts;
import static dev.mailroom.worker.send.SendEnvironment.await;
import static dev.mailroom.worker.send.SendEnvironment.awaitSettled;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Reports about TLS to the domains of recipients (RFC 8460). */
@SendEnvironment.SendingWorker
class TlsReportTest {

	/** Reads a stored mail with Python's library. */
	private static final String READ = """
			import email, gzip, sys
			mail = email.message_from_binary_file(open(sys.argv[1], 'rb'))
			print(mail.get_content_type(), mail.get_param('report-type'))
			print(mail['TLS-Report-Domain'])
			print(mail['TLS-Report-Submitter'])
			for part in mail.get_payload():
			    print(part.get_content_type())
			print(gzip.decompress(part.get_payload(decode=True)).decode())
			""";

	private final LocalDate yesterday = LocalDate.now(ZoneOffset.UTC).minusDays(1);

	@Autowired
	Accounts accounts;

	@Autowired
	PlatformDomain platform;

	@Autowired
	OutgoingTlsReports reports;

	@Autowired
	TlsReportSender sender;

	@Autowired
	TlsSessions sessions;

	private final Scope scope = Given.sender("unlimited");

	/** A name of the test's own. */
	private final String name = this.scope.domain() + ".test";

	private final List<AutoCloseable> servers = new ArrayList<>();

	@BeforeEach
	void createThePlatformsKeyAndEndOtherReports() {
		Await.await(this.accounts.ensurePlatform().then(Mono.defer(() -> this.platform.ensure(Account.PLATFORM))));
		Given.run("update domain set transport = 'mx' where id = '%s'", this.scope.domain());
		Given.run("delete from tls_session_day; delete from tls_report_sent");
	}

	@AfterEach
	void stop() throws Exception {
		for (AutoCloseable server : this.servers) {
			server.close();
		}
	}

	@Test
	void eachDomainThatAsksForItGetsOneReportAboutItsSessionsByMailOrHttps() throws Exception {
		ScriptedSmtpServer none = server("none." + this.name, "127.0.0.41");
		ScriptedSmtpServer enforced = server("enforced." + this.name, "127.0.0.42");
		server("tested." + this.name, "127.0.0.43").withTls(CERTIFICATE.context()).offering("STARTTLS");
		DNS.publish("MX", "tested." + this.name, "10 mx.trusted.test");
		DNS.publish("A", "mx.trusted.test", "127.0.0.43");
		Given.run(
				"insert into mta_sts_policy values ('enforced.%1$s', 'x', 'enforce', '{enforced.%1$s}', 86400, now()), "
						+ "('tested.%1$s', 'x', 'testing', '{mx.trusted.test}', 86400, now())",
				this.name);
		awaitSettled(Given.mail(this.scope, "a@none." + this.name, "a@tested." + this.name));
		UUID refused = Given.mail(this.scope, "a@enforced." + this.name);
		// The third attempt would follow after half a minute.
		await("two attempts", () -> attempts(refused).size() > 1);
		SendEnvironment.pause(this.scope.account());
		flush();
		assertThat(Given.rows("select count(*) from tls_session_day where domain like '%%.%s'", this.name))
			.containsExactly("3");
		Queue<JsonNode> posted = new ConcurrentLinkedQueue<>();
		String url = sink(posted);
		DNS.publish("TXT", "_smtp._tls.none." + this.name,
				"v=TLSRPTv1; rua=mailto:tls%2Drpt@none." + this.name + ",mailto:second@none." + this.name);
		DNS.publish("TXT", "_smtp._tls.enforced." + this.name, "v=TLSRPTv1;rua=mailto:tls@enforced." + this.name + ";");
		DNS.publish("TXT", "_smtp._tls.tested." + this.name, "unrelated", "v=TLSRPTv1; rua=" + url);
		makeDue();
		int before = none.mails().size();
		try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<Long> one = workers.submit(this.sender::run);
			Future<Long> two = workers.submit(this.sender::run);
			one.get();
			two.get();
		}
		await("the reports", () -> states().equals(List.of("enforced sent", "none sent", "tested sent")));
		assertThat(none.mails()).hasSize(before + 1);
		String mail = none.mails().getLast().content();
		assertThat(none.mails().getLast().rcptTo()).isEqualTo("tls-rpt@none." + this.name);
		assertThat(policies(mail))
			.containsExactly("none.%1$s 0 1 [no-policy-found starttls-not-supported none.%1$s 1]".formatted(this.name));
		assertThat(policies(enforced.mails().getLast().content())).singleElement()
			.asString()
			.matches("enforced\\.%1$s 0 \\d+ \\[sts starttls-not-supported enforced\\.%1$s \\d+\\]"
				.formatted(this.name));
		assertThat(posted).singleElement().satisfies((report) -> {
			JsonNode policy = report.path("policies").path(0);
			assertThat(policy.path("policy").toString()).isEqualTo("{\"policy-type\":\"sts\",\"policy-string\":"
					+ "[\"version: STSv1\",\"mode: testing\",\"mx: mx.trusted.test\",\"max_age: 86400\"],"
					+ "\"mx-host\":[\"mx.trusted.test\"],\"policy-domain\":\"tested." + this.name + "\"}");
			assertThat(policy.path("summary").toString())
				.isEqualTo("{\"total-successful-session-count\":1,\"total-failure-session-count\":0}");
		});
		flush();
		assertThat(Given.rows("select domain from tls_session_day where domain like '%%.%s'", this.name))
			.as("sessions of reports do not count, and those of sent reports are gone")
			.isEmpty();
		this.reports.plan();
		assertThat(this.sender.run()).isZero();
	}

	@Test
	void aReportIsSignedByThePlatformAndNamesItsDomain() throws Exception {
		ScriptedSmtpServer server = server(this.name, "127.0.0.44");
		DNS.publish("TXT", "_smtp._tls." + this.name, "v=TLSRPTv1; rua=mailto:tls@" + this.name);
		count(1);
		makeDue();
		this.sender.run();
		await("the report", () -> states().equals(List.of("sent")));
		String mail = server.mails().getLast().content();
		assertThat(mail.replaceAll("\r\n[ \t]+", " ")).contains("TLS-Report-Domain: " + this.name,
				"TLS-Report-Submitter: " + PLATFORM, "TLS-Required: No", "multipart/report; report-type=\"tlsrpt\";",
				"Subject: Report Domain: " + this.name + " Submitter: " + PLATFORM + " Report-ID: <" + this.yesterday
						+ "." + this.name + "@" + PLATFORM + ">",
				"filename=\"" + PLATFORM + "!" + this.name + "!" + begin() + "!" + (begin() + 86_399) + ".json.gz\"");
		assertThat(new DKIMVerifier((_, selector,
				domain) -> new ArrayList<>(Given.rows(
						"select 'v=DKIM1; k=rsa; p=' || public_key from dkim_key join domain on domain.id = domain_id "
								+ "where name = '%s' and selector = '%s'",
						domain, selector)))
			.verify(new ByteArrayInputStream(mail.getBytes(StandardCharsets.UTF_8)))).singleElement()
			.satisfies((record) -> {
				assertThat(record.getDToken()).hasToString(PLATFORM);
				assertThat(record.getBodyHashLimit()).as("no l=").isEqualTo(-1);
			});
	}

	/** The policy of the domain demands TLS, which Postfix does not offer. */
	@Test
	@Tag("nightly")
	void postfixWithoutTlsStoresTheSignedReportsAndHasSeenTheirSessions(@TempDir Path temporary) throws Exception {
		assumeTrue(Postfix.isInstalled() && Dkimpy.isInstalled(),
				"postfix or python3-dkim is not installed, or the user is not root");
		Path directory = Files.createDirectory(temporary.resolve("servers"));
		DNS.publish("A", this.name, "127.53.4.2");
		DNS.publish("TXT", "_smtp._tls." + this.name, "v=TLSRPTv1; rua=mailto:tls@" + this.name);
		Given.run("insert into mta_sts_policy values ('%1$s', 'x', 'enforce', '{%1$s}', 86400, now())", this.name);
		Postfix postfix = new Postfix(directory, SMTP.port());
		postfix.serve("127.53.4.2");
		try (Programs programs = new Programs(directory)) {
			postfix.start(programs);
			refuse(this.scope);
			this.reports.count(Map.of(group("no-policy-found", this.name, ""), 5L,
					group("no-policy-found", this.name, "starttls-not-supported"), 2L,
					group("tlsa", "mx." + this.name, ""), 3L, group("tlsa", "mx." + this.name, "certificate-expired"),
					4L, group("tlsa", "mx." + this.name, "validation-failure"), 1L));
			makeDue();
			this.sender.run();
			JsonNode first = stored(postfix, directory, 1);
			long refused = sessions(first, "sts", "failure");
			assertThat(refused).isGreaterThanOrEqualTo(2);
			assertThat(sessions(first, "sts", "successful")).isZero();
			assertThat(List.of(sessions(first, "no-policy-found", "successful"),
					sessions(first, "no-policy-found", "failure"), sessions(first, "tlsa", "successful"),
					sessions(first, "tlsa", "failure")))
				.containsExactly(5L, 2L, 3L, 5L);
			await("the end of the sessions", () -> postfix.sessions() == refused + 1);
			Given.run("update tls_report_sent set day = day - 1 where domain = '%s'", this.name);
			Scope other = Given.sender("unlimited");
			Given.run("update domain set transport = 'mx' where id = '%s'", other.domain());
			refuse(other);
			makeDue();
			this.sender.run();
			JsonNode second = stored(postfix, directory, 2);
			assertThat(second.path("policies")).hasSize(1);
			await("the end of the sessions, of which those of reports are not reported",
					() -> postfix.sessions() == refused + 1 + sessions(second, "sts", "failure") + 1);
		}
	}

	/** Lets mail be refused, and counts its sessions. */
	private void refuse(Scope sender) {
		UUID mail = Given.mail(sender, "a@" + this.name);
		// The third attempt would follow after half a minute.
		await("two attempts", () -> attempts(mail).size() > 1);
		SendEnvironment.pause(sender.account());
		flush();
	}

	private TlsSessionGroup group(String type, String policyDomain, String result) {
		return new TlsSessionGroup(this.name, this.yesterday, type, policyDomain, result, "", "", "", "");
	}

	/** The newest report that Postfix has stored, whose mail and signature are valid. */
	private JsonNode stored(Postfix postfix, Path directory, int number) throws Exception {
		await("the report", () -> postfix.mails("tls@" + this.name).size() == number);
		String mail = postfix.mails("tls@" + this.name).getLast();
		assertThat(Dkimpy.verify(directory, mail, Dkimpy.records()))
			.containsExactly("rsa-sha256 " + PLATFORM + " True");
		List<String> read = Dkimpy.run(READ, directory.resolve("mail.eml").toString()).lines().toList();
		assertThat(read).startsWith("multipart/report tlsrpt", this.name, PLATFORM, "text/plain",
				"application/tlsrpt+gzip");
		JsonNode report = JsonMapper.shared().readTree(read.getLast());
		for (JsonNode policy : report.path("policies")) {
			assertThat(policy.path("failure-details")
				.valueStream()
				.mapToLong((it) -> it.path("failed-session-count").asLong())
				.sum()).isEqualTo(policy.path("summary").path("total-failure-session-count").asLong());
		}
		return report;
	}

	/** Number of sessions under a type of policy. */
	private static long sessions(JsonNode report, String type, String result) {
		return report.path("policies")
			.valueStream()
			.filter((policy) -> policy.path("policy").path("policy-type").asString().equals(type))
			.mapToLong((policy) -> policy.path("summary").path("total-" + result + "-session-count").asLong())
			.sum();
	}

	private long begin() {
		return this.yesterday.atStartOfDay(ZoneOffset.UTC).toEpochSecond();
	}

	@Test
	void aReportThatIsRefusedOrNotAnsweredIsTriedForADay() {
		ScriptedSmtpServer server = server(this.name, "127.0.0.45").answer("RCPT", "451 later");
		DNS.publish("TXT", "_smtp._tls." + this.name, "v=TLSRPTv1; rua=mailto:tls@" + this.name);
		count(1);
		makeDue();
		assertThat(this.sender.run()).isZero();
		await("the first attempt",
				() -> Given
					.rows("select state || attempts || error || (next_try_at > now() + interval '14 minutes') "
							+ "from tls_report_sent where domain = '%s'", this.name)
					.equals(List.of("waiting1451 latertrue")));
		server.behave();
		server.answer("BODY", ScriptedSmtpServer.DROP);
		again("now()");
		await("an attempt without an answer", () -> states().equals(List.of("waiting")) && server.mails().size() == 1);
		again("now() - interval '1 day'");
		await("the last attempt", () -> states().equals(List.of("lost")));
		assertThat(server.mails()).hasSize(2);
		assertThat(server.mails()).extracting((mail) -> mail.content().replaceAll("(?s).*Report-ID: (<[^>]+>).*", "$1"))
			.containsOnly("<" + this.yesterday + "." + this.name + "@" + PLATFORM + ">");
		assertThat(Given.rows("select domain from tls_session_day where domain = '%s'", this.name)).isEmpty();
	}

	@Test
	void aReportThatIsRefusedForADayFailsAndOneThatWasInterruptedIsSentLater() {
		ScriptedSmtpServer server = server(this.name, "127.0.0.45").answer("RCPT", "451 later");
		DNS.publish("TXT", "_smtp._tls." + this.name, "v=TLSRPTv1; rua=mailto:tls@" + this.name);
		count(1);
		makeDue();
		again("now() - interval '1 day'");
		await("the last attempt", () -> states().equals(List.of("failed")));
		server.behave();
		Given.run("delete from tls_report_sent");
		count(1);
		makeDue();
		OutgoingTlsReports.Due due = this.reports.next().orElseThrow();
		assertThat(this.reports.begin(due)).isTrue();
		assertThat(this.reports.begin(due)).as("another worker").isFalse();
		again("now()");
		await("the next attempt", () -> states().equals(List.of("sent")));
		assertThat(server.mails()).hasSize(1);
		Given.run("update tls_report_sent set state = 'sending', finished_at = null");
		again("now() - interval '1 day'");
		assertThat(states()).containsExactly("lost");
	}

	/** Lets the next attempt of a report begin that was due first at a time. */
	private void again(String due) {
		Given.run("update tls_report_sent set next_try_at = now(), due_at = %s where domain = '%s'", due, this.name);
		this.sender.run();
	}

	@Test
	void aDomainWithoutOneRecordGetsNoReportAndOneWithoutAnAnswerIsAskedAgain() {
		for (String[] records : new String[][] { {}, { "v=TLSRPTv1; rua=mailto:a@b.test", "v=TLSRPTv1; rua=x" },
				{ "v=TLSRPTv1; ruf=mailto:a@b.test" } }) {
			DNS.publish("TXT", "_smtp._tls." + this.name, records);
			count(1);
			makeDue();
			this.sender.run();
			assertThat(states()).isEmpty();
			assertThat(Given.rows("select domain from tls_session_day where domain = '%s'", this.name)).isEmpty();
		}
		DNS.fail("_smtp._tls." + this.name);
		count(1);
		makeDue();
		this.sender.run();
		assertThat(Given.rows("select state from tls_report_sent where domain = '%s'", this.name))
			.containsExactly("waiting");
	}

	@Test
	void aHundredKindsOfFailuresAreKeptApartAndTheOthersAddedUp() {
		count(90);
		count(110);
		assertThat(Given.rows("select count(*) || ' ' || sum(sessions) from tls_session_day where domain = '%s'",
				this.name))
			.containsExactly("101 200");
		assertThat(Given.rows("select distinct reason from tls_session_day where domain = '%s' and mx_host <> ''",
				this.name))
			.containsExactly("reason");
		assertThat(Given.rows("select sessions || reason from tls_session_day where domain = '%s' and mx_host = ''",
				this.name))
			.containsExactly("10");
	}

	/** Counts failures of yesterday at different servers. */
	private void count(int servers) {
		this.reports.count(IntStream.range(0, servers)
			.mapToObj((i) -> new TlsSessionGroup(this.name, this.yesterday, "no-policy-found", this.name,
					"starttls-not-supported", "", i + ".mx.test", "192.0.2.1", "reason"))
			.collect(Collectors.toMap(Function.identity(), (_) -> 1L)));
	}

	private void flush() {
		this.sessions.stop();
		this.sessions.start();
	}

	/** Lets the day of the counted sessions be over. */
	private void makeDue() {
		Given.run("update tls_session_day set day = '%s' where domain like '%%%s'", this.yesterday, this.name);
		this.reports.plan();
		Given.run("update tls_report_sent set next_try_at = now()");
	}

	private List<String> states() {
		return Await.await(this.reports.last())
			.stream()
			.map((report) -> (report.domain().replace(this.name, "").replace(".", "") + " " + report.state()).strip())
			.sorted()
			.toList();
	}

	private ScriptedSmtpServer server(String domain, String address) {
		DNS.publish("A", domain, address);
		ScriptedSmtpServer server = new ScriptedSmtpServer(InetAddress.ofLiteral(address), SMTP.port());
		this.servers.add(server);
		return server;
	}

	/** Starts a receiver over HTTPS. */
	private String sink(Queue<JsonNode> posted) throws Exception {
		HttpsServer web = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.43"), 0), 0);
		web.setHttpsConfigurator(new HttpsConfigurator(CERTIFICATE.context()));
		web.createContext("/tls", (exchange) -> {
			assertThat(exchange.getRequestHeaders().getFirst("Content-Type")).isEqualTo("application/tlsrpt+gzip");
			posted.add(JsonMapper.shared().readTree(new GZIPInputStream(exchange.getRequestBody())));
			exchange.sendResponseHeaders(201, -1);
			exchange.close();
		});
		web.start();
		this.servers.add(() -> web.stop(0));
		return "https://mx.trusted.test:" + web.getAddress().getPort() + "/tls";
	}

	/** The policies of a report as our own reader finds them. */
	private List<String> policies(String mail) throws Exception {
		TlsReport report = ReportMails.readTls(mail.getBytes(StandardCharsets.UTF_8), Instant.now());
		assertThat(report.org()).isEqualTo(PLATFORM);
		assertThat(report.begin()).isEqualTo(this.yesterday.atStartOfDay(ZoneOffset.UTC).toInstant());
		return report.policies()
			.stream()
			.map((policy) -> policy.domain() + " " + policy.successful() + " " + policy.failed() + " "
					+ policy.failures()
						.stream()
						.map((failure) -> String
							.join(" ", failure.policyType(), failure.result(), failure.mxHost(),
									Long.toString(failure.sessions()), failure.reason())
							.strip())
						.toList())
			.toList();
	}

}
