package dev.mailroom.dmarcreport;

import java.net.InetAddress;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.dmarcreport.DmarcFigures.Counts;
import dev.mailroom.dmarcreport.DmarcReports.Kept;
import dev.mailroom.domain.AskingTestDns;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.secret.StampedIds;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

class DmarcReportsTest extends AskingTestDns {

	@Autowired
	DmarcReports reports;

	@Autowired
	ReportAddress addresses;

	@Autowired
	ReportDomain reportDomain;

	@Autowired
	Domains domains;

	private final Scope scope = Scope.of(Given.account("free"));

	private final Instant yesterday = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);

	private Domain domain;

	@BeforeEach
	void create() {
		this.domain = await(this.domains.create(this.scope, "d" + UUID.randomUUID() + ".test"));
	}

	@Test
	void figuresCountWhatVerifiedReportsSay() {
		Given.run("insert into address_check values ('192.0.2.1', 'ptr', '', 'ok', 'x', false, now(), now()), "
				+ "('a.test', 'domain', 'x', 'ok', 'x', false, now(), now()) on conflict do nothing");
		assertThat(keep("1", true, row("192.0.2.1", 90, true, true), row("198.51.100.1", 10, false, false)))
			.isEqualTo(Kept.STORED);
		assertThat(keep("1", true, row("192.0.2.1", 90, true, true))).isEqualTo(Kept.REPEATED);
		assertThat(keep("2", false, row("192.0.2.1", 1000, true, true))).isEqualTo(Kept.UNVERIFIED);
		assertThat(keep("3", true, row("192.0.2.1", 5, false, true))).isEqualTo(Kept.STORED);
		assertThat(keep("4", true)).isEqualTo(Kept.EMPTY);
		DmarcFigures figures = figures();
		assertThat(figures.reports()).isEqualTo(2);
		assertThat(figures.unverified()).isEqualTo(1);
		assertThat(figures.total()).isEqualTo(new Counts(105, 95, 90, 95, 10, 0));
		assertThat(figures.days()).containsExactly(
				new DmarcFigures.Day(LocalDate.ofInstant(this.yesterday, ZoneOffset.UTC), figures.total()));
		assertThat(figures.sources()).extracting(DmarcFigures.Source::address)
			.containsExactly("192.0.2.1", "198.51.100.1");
		assertThat(figures.sources()).extracting(DmarcFigures.Source::ours).containsExactly(true, false);
		assertThat(figures.failing()).containsExactly(new DmarcFigures.Failing("198.51.100.1", null, false,
				this.domain.name(), "bounce.test", "s@x.test", 10, 10, 0));
		assertThat(figures.policies()).singleElement().satisfies((policy) -> {
			assertThat(policy.tags()).isEqualTo(Map.of("p", "none"));
			assertThat(policy.reports()).isEqualTo(2);
		});
		assertThat(await(this.reports.figures(this.scope, this.domain.id(), null,
				LocalDate.ofInstant(this.yesterday, ZoneOffset.UTC).minusDays(1)))
			.total()).isEqualTo(new Counts(0, 0, 0, 0, 0, 0));
	}

	@Test
	void serversHaveTheNamesThatLeadBackToThem() {
		DNS.publish("PTR", "11.113.0.203.in-addr.arpa", "Mail.Sender.test");
		DNS.publish("A", "mail.sender.test", "203.0.113.10", "203.0.113.11");
		DNS.publish("PTR", "12.113.0.203.in-addr.arpa", "mail.sender.test");
		DNS.publish("PTR", "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa",
				"six.sender.test");
		DNS.publish("AAAA", "six.sender.test", "2001:db8::1");
		DNS.fail("13.113.0.203.in-addr.arpa");
		keep("1", true, row("203.0.113.11", 4, true, true), row("203.0.113.12", 3, false, false),
				row("2001:db8::1", 2, true, true), row("203.0.113.13", 1, true, true));
		assertThat(figures().sources()).extracting(DmarcFigures.Source::name)
			.containsExactly("mail.sender.test", null, "six.sender.test", null);
		assertThat(figures().failing()).extracting(DmarcFigures.Failing::name).containsExactly((String) null);
		DNS.remove("PTR", "11.113.0.203.in-addr.arpa");
		DNS.publish("PTR", "13.113.0.203.in-addr.arpa", "late.sender.test");
		DNS.publish("A", "late.sender.test", "203.0.113.13");
		assertThat(figures().sources()).extracting(DmarcFigures.Source::name)
			.containsExactly("mail.sender.test", null, "six.sender.test", "late.sender.test");
	}

	@Test
	void figuresOfAnotherAccountsDomainAndOfTooManyDaysAreRefused() {
		awaitRefusal("Domain not found",
				this.reports.figures(Scope.of(Given.account("free")), this.domain.id(), null, null));
		awaitRefusal("Invalid request data",
				this.reports.figures(this.scope, this.domain.id(), LocalDate.now(ZoneOffset.UTC).minusDays(500), null));
		awaitRefusal("Invalid request data",
				this.reports.figures(this.scope, this.domain.id(), LocalDate.now(ZoneOffset.UTC).plusDays(1), null));
	}

	@Test
	void theSuggestedRecordNamesTheAddressBesideExistingOnes() {
		String host = "_dmarc." + this.domain.name();
		String uri = "mailto:" + this.addresses.of(this.scope.account(), this.domain.id()).orElseThrow();
		assertThat(figures().record().suggested()).isEqualTo("v=DMARC1; p=none; rua=" + uri);
		assertThat(figures().record().found()).isNull();
		DNS.publish("TXT", host, "v=DMARC1; p=reject;");
		assertThat(figures().record().suggested()).isEqualTo("v=DMARC1; p=reject; rua=" + uri);
		DNS.publish("TXT", host, "v=DMARC1; rua=mailto:a@b.test, mailto:c@b.test; p=none");
		assertThat(figures().record().suggested())
			.isEqualTo("v=DMARC1; rua=mailto:a@b.test, mailto:c@b.test," + uri + "; p=none");
		DNS.publish("TXT", host, "v=DMARC1; p=none; rua=" + uri);
		assertThat(figures().record()).isEqualTo(new DmarcFigures.PolicyRecord(host, this.domain.name(),
				"v=DMARC1; p=none; rua=" + uri, "none", null, true));
		DNS.publish("TXT", host, "v=DMARC1; p=reject; sp=quarantine; aspf=s; rua=mailto:a@b.test");
		Domain below = await(this.domains.create(this.scope, "mail." + this.domain.name()));
		String belowUri = "mailto:" + this.addresses.of(this.scope.account(), below.id()).orElseThrow();
		assertThat(await(this.reports.figures(this.scope, below.id(), null, null)).record())
			.isEqualTo(new DmarcFigures.PolicyRecord("_dmarc." + below.name(), this.domain.name(),
					"v=DMARC1; p=reject; sp=quarantine; aspf=s; rua=mailto:a@b.test", "quarantine",
					"v=DMARC1; p=quarantine; aspf=s; rua=mailto:a@b.test," + belowUri, true));
		DNS.fail(host);
		assertThat(figures().record().known()).isFalse();
	}

	@Test
	void theDomainForReportsNeedsItsAuthorisationAndItsHost() {
		assertThat(states()).containsExactly(ReportDomain.State.FAILED, ReportDomain.State.FAILED);
		DNS.publish("TXT", "any.example._report._dmarc.reports.platform.test", "v=DMARC1;");
		DNS.publish("MX", "reports.platform.test", "mx.platform.test");
		assertThat(states()).containsExactly(ReportDomain.State.OK, ReportDomain.State.OK);
		DNS.fail("any.example._report._dmarc.reports.platform.test");
		DNS.fail("reports.platform.test");
		assertThat(states()).containsExactly(ReportDomain.State.UNKNOWN, ReportDomain.State.UNKNOWN);
	}

	private List<ReportDomain.State> states() {
		return await(this.reportDomain.checks()).stream().map(ReportDomain.Check::state).toList();
	}

	private DmarcFigures figures() {
		return await(this.reports.figures(this.scope, this.domain.id(), null, null));
	}

	private Kept keep(String id, boolean verified, AggregateReport.Row... rows) {
		return await(
				this.reports.keep(
						new StampedIds.Ids(this.scope.account(), this.domain.id()), new AggregateReport("r", id,
								this.yesterday, this.yesterday.plusSeconds(86_399), Map.of("p", "none"), List.of(rows)),
						"r.test", verified));
	}

	private AggregateReport.Row row(String source, long count, boolean dkim, boolean spf) {
		return new AggregateReport.Row(InetAddress.ofLiteral(source), count, (dkim || spf) ? "none" : "quarantine",
				dkim, spf, this.domain.name(), "bounce.test", "s@x.test");
	}

}
