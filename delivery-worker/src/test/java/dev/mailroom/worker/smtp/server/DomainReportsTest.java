package dev.mailroom.worker.smtp.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.dmarcreport.ReportAddress;
import dev.mailroom.domain.TestDns;
import dev.mailroom.worker.Programs;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.report.ReportCorpus;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.SimpleResolver;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Reports about a domain, over SMTP. */
@Surroundings.WorkerAlone
class DomainReportsTest {

	private static final String ROWS = "select concat_ws(' ', host(source), count, disposition, dkim, spf, header_from, "
			+ "envelope_from, selectors) from dmarc_row where account_id = '%s' order by report_id, position";

	private static final String RSPAMD = "127.53.3.53";

	@Autowired
	InboundListener listener;

	@Autowired
	ReportAddress addresses;

	@Autowired
	MeterRegistry meters;

	private final UUID account = Given.account("free");

	private final UUID domain = Given.domain(this.account);

	private final String name = this.domain + ".test";

	private final String receiver = "r" + this.domain + ".test";

	private SendingServer sender;

	@BeforeEach
	void connect() {
		Surroundings.DNS.publish("TXT", this.receiver, "v=spf1 ip4:127.0.0.1 ip6:::1 -all");
		this.sender = new SendingServer(this.listener.port());
	}

	@AfterEach
	void disconnect() {
		this.sender.close();
	}

	@Test
	void bothFormsOfAReportPackedInAnyWayAreStoredOnce() {
		byte[] old = xml("rfc7489", "1");
		for (byte[] packed : List.of(old, ReportCorpus.gzip(old), ReportCorpus.zip(old, 1), xml("rfc9990", "1"))) {
			send(packed);
		}
		String name = this.name;
		assertThat(Given.rows(ROWS, this.account)).containsExactly(
				"192.0.2.1 7 none t t " + name + " bounce." + name + " s1@" + name,
				"2001:db8::1 2 quarantine f f news." + name + " lists.test a@lists.test s1@" + name);
		send(xml("rfc9990", "2"));
		assertThat(Given.rows(ROWS, this.account)).hasSize(4);
		assertThat(Given.rows(
				"select concat_ws(' ', sender, org, report_id, verified, policy ->> 'p', "
						+ "begin_at = to_timestamp(%d)) from dmarc_report where account_id = '%s' order by id",
				ReportCorpus.begin().getEpochSecond(), this.account))
			.containsExactly(this.receiver + " receiver.test 1 t none t", this.receiver + " receiver.test 2 t none t");
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", this.account)).isEmpty();
		assertThat(count("repeated")).isGreaterThanOrEqualTo(3);
	}

	/** Rspamd checks four mails of an author and reports about them to this server. */
	@Test
	void aReportThatRspamdMakesIsReceivedAndStored(@TempDir Path directory) throws Exception {
		assumeTrue(Programs.areInstalled("/usr/bin/rspamd", "/usr/bin/redis-server"),
				"rspamd or redis-server is not installed, or the user is not root");
		Surroundings.DNS.publish("TXT", this.name, "v=spf1 ip4:192.0.2.7 -all");
		Surroundings.DNS.publish("TXT", "_dmarc." + this.name, "v=DMARC1; p=reject; rua=mailto:" + address());
		Surroundings.DNS.publish("TXT", this.name + "._report._dmarc." + Surroundings.REPORT_DOMAIN, "v=DMARC1;");
		String[] dns = Surroundings.DNS.address().split(":", -1);
		Path configuration = Files.writeString(directory.resolve("rspamd.conf"), """
				options { pidfile = "%1$s/rspamd.pid"; hs_cache_dir = "%1$s"; tempdir = "%1$s";
				          url_tld = "%2$s"; disable_hyperscan = true; filters = "dkim"; local_addrs = [];
				          dns { nameserver = ["%3$s:53:1"]; } }
				logging { type = "console"; level = "error"; }
				metric "default" { actions { reject = 15; add_header = 6; greylist = 4; } }
				modules { path = "/usr/share/rspamd/plugins/dmarc.lua"; path = "/usr/share/rspamd/plugins/spf.lua"; }
				redis { servers = "%3$s:6379"; }
				spf { }
				dkim { }
				dmarc { reporting { enabled = true; email = "reports@%4$s"; domain = "%4$s"; org_name = "Receiver <&>";
				                    smtp = "127.0.0.1"; smtp_port = %5$d; } }
				worker "normal" { bind_socket = "%3$s:11333"; count = 1; }
				""".formatted(directory, Files.writeString(directory.resolve("domains"), "test\n"), RSPAMD,
				this.receiver, this.listener.port()));
		try (Programs programs = new Programs(directory);
				TestDns _ = new TestDns(new SimpleResolver(new InetSocketAddress(dns[0], Integer.parseInt(dns[1]))),
						InetAddress.ofLiteral(RSPAMD), 53)) {
			programs.start(RSPAMD, 6379, "/usr/bin/redis-server", "--bind", RSPAMD, "--save", "", "--dir",
					directory.toString());
			programs.start(RSPAMD, 11333, "/usr/bin/rspamd", "-f", "-i", "-c", configuration.toString());
			Rspamd rspamd = new Rspamd(
					new ScannerSettings("http://" + RSPAMD + ":11333", "", "", Duration.ofSeconds(30)),
					new JsonMapper());
			for (String source : List.of("192.0.2.7", "192.0.2.7", "192.0.2.7", "2001:db8::9")) {
				byte[] mail = ("From: ann@" + this.name + "\r\nTo: bob@in.test\r\nSubject: Hello\r\n\r\nHi\r\n")
					.getBytes(StandardCharsets.UTF_8);
				Await.await(rspamd.check(
						new IncomingMail(InetAddress.ofLiteral(source), "mx.out.test", "ann@" + this.name, mail),
						List.of("bob@in.test")));
			}
			String output = programs.runWithNameServer(RSPAMD, "rspamadm", "dmarc_report", "-c",
					configuration.toString(),
					LocalDate.now(ZoneId.systemDefault()).format(DateTimeFormatter.BASIC_ISO_DATE));
			assertThat(output).contains("1 completed, 0 failed");
		}
		assertThat(Given.rows(ROWS, this.account)).containsExactlyInAnyOrder(
				"192.0.2.7 3 none f t %1$s %1$s ".formatted(this.name),
				"2001:db8::9 1 reject f f %1$s %1$s ".formatted(this.name));
		assertThat(Given.rows("select concat_ws(' ', sender, org, verified, policy ->> 'p') from dmarc_report "
				+ "where account_id = '%s'", this.account))
			.containsExactly(this.receiver + " Receiver <&> t reject");
	}

	@Test
	void aReportThatNothingProvesIsStoredApart() {
		send("r@other.test", xml("rfc7489", "1"));
		send("r@mail." + this.receiver, xml("rfc7489", "1"));
		send(xml("rfc7489", "1"));
		assertThat(Given.rows(
				"select concat_ws(' ', sender, verified) from dmarc_report where account_id = '%s' " + "order by id",
				this.account))
			.containsExactly("other.test f", "mail." + this.receiver + " f", this.receiver + " t");
	}

	@Test
	void rowsAboutForeignDomainsAreDropped() {
		send(new String(xml("rfc7489", "1"), StandardCharsets.UTF_8)
			.replace("<header_from>" + this.name, "<header_from>foreign.test")
			.getBytes(StandardCharsets.UTF_8));
		assertThat(Given.rows(ROWS, this.account)).hasSize(1).first().asString().contains("news." + this.name);
		double before = count("foreign");
		send(ReportCorpus.xml("rfc7489", "foreign.test", "2").getBytes(StandardCharsets.UTF_8));
		send(ReportCorpus.xml("rfc7489", "x" + this.name, "3").getBytes(StandardCharsets.UTF_8));
		assertThat(count("foreign") - before).isEqualTo(2);
		assertThat(Given.rows(ROWS, this.account)).hasSize(1);
	}

	@Test
	void aMailThatCannotBeReadIsAcceptedCountedAndShown() {
		double before = count("bomb");
		for (int i = 0; i < 25; i++) {
			send(ReportCorpus.gzip(ReportCorpus.repeated(" ", 5 * 1024 * 1024)));
		}
		assertThat(count("bomb") - before).isEqualTo(25);
		assertThat(Given.rows("select concat_ws(' ', domain, sender, reason) from unread_report where domain = '%s'",
				this.name))
			.hasSizeBetween(1, 20)
			.containsOnly(this.name + " " + this.receiver + " bomb");
		assertThat(Given.rows("select id from unread_report")).hasSizeLessThanOrEqualTo(20);
		assertThat(Given.rows("select id from dmarc_report where account_id = '%s'", this.account)).isEmpty();
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", this.account)).isEmpty();
	}

	@Test
	void reportsAboutTlsAreStoredOnceWithWhatTheySayAboutTheDomain() {
		byte[] json = tls("1", this.name.toUpperCase(Locale.ROOT));
		sendTls(json);
		sendTls(ReportCorpus.gzip(json));
		sendTls(ReportCorpus.gzip(tls("2", "")));
		sendTls(ReportCorpus.gzip(tls("3", "foreign.test")));
		sendTls("{\"report-id\": \"4\"}".getBytes(StandardCharsets.UTF_8));
		sendTls("{\"report-id\": ".getBytes(StandardCharsets.UTF_8));
		sendTls(ReportCorpus.gzip(ReportCorpus.repeated(" ", 5 * 1024 * 1024)));
		assertThat(Given.rows("select concat_ws(' ', sender, org, report_id, verified, successful, failed) "
				+ "from tls_report where account_id = '%s' order by id", this.account))
			.containsExactly(this.receiver + " Sender 1 t 5326 303", this.receiver + " Sender 2 t 5326 303");
		assertThat(Given.rows(
				"select concat_ws(' ', policy_type, result, source, mx_host, sessions) "
						+ "from tls_report_failure where account_id = '%s' order by report_id, position limit 2",
				this.account))
			.containsExactly("sts certificate-expired 2001:db8::1 mx.a.test 100", "sts starttls-not-supported   203");
		assertThat(Given.rows("select reason from unread_report where domain = '%s' order by id", this.name))
			.containsExactly("incomplete", "not_json", "bomb");
		assertThat(Given.rows("select id from inbound_email where account_id = '%s'", this.account)).isEmpty();
	}

	private byte[] tls(String id, String domain) {
		return """
				{"organization-name": "Sender", "date-range": {"start-datetime": "%sT00:00:00Z",
				 "end-datetime": "%1$sT23:59:59Z"}, "contact-info": "a@b.test", "report-id": "%s", "policies": [
				 {"policy": {"policy-type": "sts", "policy-string": ["version: STSv1"], "policy-domain": "%s"},
				  "summary": {"total-successful-session-count": 5326, "total-failure-session-count": 303},
				  "failure-details": [{"result-type": "certificate-expired", "sending-mta-ip": "2001:db8::1",
				    "receiving-mx-hostname": "MX.a.test.", "failed-session-count": 100},
				   {"result-type": "starttls-not-supported", "failed-session-count": 203}, {}]}]}
				""".formatted(ReportCorpus.begin().toString().substring(0, 10), id, domain)
			.getBytes(StandardCharsets.UTF_8);
	}

	private void sendTls(byte[] attachment) {
		String author = "r@" + this.receiver;
		String address = this.addresses.ofTls(this.account, this.domain).orElseThrow();
		assertThat(this.sender.send(author, List.of(address),
				ReportCorpus.mail(author, "application/tlsrpt+gzip", attachment)))
			.startsWith("250 ");
	}

	@Test
	void onlyTheAddressOfADomainIsAccepted() {
		String address = address();
		this.sender.command("MAIL FROM:<r@" + this.receiver + ">");
		assertThat(this.sender.command("RCPT TO:<" + address.toUpperCase(Locale.ROOT) + ">")).startsWith("250 ");
		char last = address.charAt(62);
		for (String other : List.of("d-0@" + Surroundings.REPORT_DOMAIN, "dmarc@" + Surroundings.REPORT_DOMAIN,
				address.replaceFirst(last + "@", ((last == 'a') ? "b" : "a") + "@"),
				address.replace(Surroundings.REPORT_DOMAIN, "elsewhere.test"), address.replaceFirst("d-", "b+"))) {
			assertThat(this.sender.command("RCPT TO:<" + other + ">")).as(other).startsWith("550 5.1.1 ");
		}
	}

	@Test
	void aDomainThatIsGoneOrHasTooManyReportsGetsNoMore() {
		Given.run(
				"insert into dmarc_report select gen_random_uuid(), '%s', '%s', 's', 'o', n, true, now(), now(), '{}', "
						+ "now() from generate_series(1, 500) as n",
				this.account, this.domain);
		double before = count("too_many");
		send(xml("rfc7489", "x"));
		assertThat(count("too_many") - before).isEqualTo(1);
		String address = address();
		Given.run("delete from domain where id = '%s'", this.domain);
		assertThat(Given.rows("select id from dmarc_report where account_id = '%s'", this.account)).isEmpty();
		assertThat(this.sender.send("r@" + this.receiver, List.of(address),
				ReportCorpus.mail("r@" + this.receiver, "text/xml", xml("rfc7489", "y"))))
			.startsWith("250 ");
		assertThat(Given.rows("select id from dmarc_report where account_id = '%s'", this.account)).isEmpty();
	}

	private String address() {
		return this.addresses.of(this.account, this.domain).orElseThrow();
	}

	private byte[] xml(String file, String id) {
		return ReportCorpus.xml(file, this.name, id).getBytes(StandardCharsets.UTF_8);
	}

	private void send(byte[] attachment) {
		send("r@" + this.receiver, attachment);
	}

	private void send(String author, byte[] attachment) {
		assertThat(this.sender.send("r@" + this.receiver, List.of(address()),
				ReportCorpus.mail(author, "application/gzip", attachment)))
			.startsWith("250 ");
	}

	private double count(String result) {
		var counter = this.meters.find("mailroom.dmarc.reports").tag("result", result).counter();
		return (counter != null) ? counter.count() : 0;
	}

}
