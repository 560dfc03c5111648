package dev.mailroom.api.domain;

import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.api.Client;
import dev.mailroom.api.Person;
import dev.mailroom.api.WithApi;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/** Reports about a domain, and the rules for bulk senders. */
@WithApi
class DomainStandingTest {

	@Autowired
	Client client;

	@Autowired
	Person person;

	@Test
	void whatReceiversReportIsShownForAPeriod() {
		UUID domain = Given.domain(this.person.account());
		Given.run("insert into dmarc_report values ('%2$s', '%1$s', '%2$s', 'r.test', 'r', '1', true, "
				+ "'2026-11-02T00:00:00Z', '2026-11-02T23:59:59Z', '{\"p\": \"none\"}', now()); "
				+ "insert into dmarc_row values ('%2$s', 0, '%1$s', '192.0.2.1', 7, 'reject', false, false, 'a.test', "
				+ "'b.test', 's@b.test')", this.person.account(), domain);
		String path = "/api/domains/" + domain + "/dmarc";
		this.client.get(this.person.token(), path + "?from=2026-11-01&to=2026-11-03")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.dmarc.reports")
			.isEqualTo(1)
			.jsonPath("$.data.dmarc.days[0].day")
			.isEqualTo("2026-11-02")
			.jsonPath("$.data.dmarc.days[0].counts.rejected")
			.isEqualTo(7)
			.jsonPath("$.data.dmarc.failing[0].header_from")
			.isEqualTo("a.test")
			.jsonPath("$.data.dmarc.policies[0].tags.p")
			.isEqualTo("none")
			.jsonPath("$.data.dmarc.address")
			.value(String.class, (address) -> assertThat(address).matches("d-[0-9a-v]{61}@reports.platform.test"))
			.jsonPath("$.data.dmarc.record.suggested")
			.value(String.class, (record) -> assertThat(record).startsWith("v=DMARC1; p=none; rua=mailto:d-"));
		this.client.get(this.person.token(), path + "?from=2026-11-03&to=2026-11-01").expectStatus().isBadRequest();
		this.client.get(this.person.token(), path + "?from=yesterday").expectStatus().isBadRequest();
		this.client.get(this.person.token(), "/api/domains/" + UUID.randomUUID() + "/dmarc")
			.expectStatus()
			.isNotFound()
			.expectBody()
			.jsonPath("$.error")
			.isEqualTo("Domain not found");
	}

	@Test
	void whatSendersReportAboutTlsIsShownForAPeriod() {
		UUID domain = Given.domain(this.person.account());
		Given.run("insert into tls_report values ('%2$s', '%1$s', '%2$s', 'r.test', 'r', '1', true, "
				+ "'2026-11-02T00:00:00Z', '2026-11-02T23:59:59Z', 12, 3, now()); insert into tls_report_failure values "
				+ "('%2$s', 0, '%1$s', 'sts', 'certificate-expired', '192.0.2.1', 'mx.a.test', '', 3)",
				this.person.account(), domain);
		String path = "/api/domains/" + domain + "/tls-reports";
		this.client.get(this.person.token(), path + "?from=2026-11-01&to=2026-11-03")
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.tls_reports.reports")
			.isEqualTo(1)
			.jsonPath("$.data.tls_reports.successful")
			.isEqualTo(12)
			.jsonPath("$.data.tls_reports.failed")
			.isEqualTo(3)
			.jsonPath("$.data.tls_reports.failures[0].result")
			.isEqualTo("certificate-expired")
			.jsonPath("$.data.tls_reports.record.value")
			.value(String.class, (value) -> assertThat(value)
				.matches("v=TLSRPTv1; rua=mailto:t-[0-9a-v]{61}@reports.platform.test"));
		this.client.get(this.person.token(), path + "?from=2026-11-03&to=2026-11-01").expectStatus().isBadRequest();
		this.client.get(this.person.token(), "/api/domains/" + UUID.randomUUID() + "/tls-reports")
			.expectStatus()
			.isNotFound();
	}

	@Test
	void eachRuleForBulkSendersHasAResult() {
		UUID domain = Given.domain(this.person.account());
		String path = "/api/domains/" + domain + "/readiness";
		this.client.get(this.person.token(), path)
			.expectStatus()
			.isOk()
			.expectBody()
			.jsonPath("$.data.checks.length()")
			.isEqualTo(12)
			.jsonPath("$.data.checks[?(@.rule == 'dmarc')].result")
			.isEqualTo("fail")
			.jsonPath("$.data.checks[?(@.rule == 'from')].result")
			.isEqualTo("pass");
		this.client.get(this.person.token(), "/api/domains/" + UUID.randomUUID() + "/readiness")
			.expectStatus()
			.isNotFound();
	}

}
