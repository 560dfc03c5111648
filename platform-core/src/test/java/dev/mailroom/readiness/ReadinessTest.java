package dev.mailroom.readiness;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.dmarcreport.DmarcReports;
import dev.mailroom.domain.AskingTestDns;
import dev.mailroom.domain.Domain;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.Verification;
import dev.mailroom.readiness.BimiRecord.Problem;
import dev.mailroom.readiness.ReadinessCheck.Result;
import dev.mailroom.readiness.ReadinessCheck.Rule;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

class ReadinessTest extends AskingTestDns {

	@Autowired
	Readiness readiness;

	@Autowired
	Domains domains;

	@Autowired
	Verification verification;

	@Autowired
	DmarcReports reports;

	@Autowired
	BimiChecks logos;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void aDomainThatIsNewIsNotReadyAndEachFailureHasAFix() {
		Domain domain = create("");
		await(this.verification.verify(this.scope, domain.id()));
		List<ReadinessCheck> checks = await(this.readiness.of(this.scope, domain.id()));
		assertThat(checks).extracting(ReadinessCheck::rule).containsExactly(Rule.values());
		assertThat(results(domain)).containsEntry(Rule.SPF, Result.FAIL)
			.containsEntry(Rule.DKIM, Result.FAIL)
			.containsEntry(Rule.DKIM_KEY, Result.PASS)
			.containsEntry(Rule.DMARC, Result.FAIL)
			.containsEntry(Rule.DMARC_REPORTS, Result.WARN)
			.containsEntry(Rule.ONE_CLICK, Result.FAIL)
			.containsEntry(Rule.COMPLAINTS, Result.UNKNOWN)
			.containsEntry(Rule.TLS, Result.PASS)
			.containsEntry(Rule.FROM, Result.PASS);
		assertThat(checks).filteredOn((check) -> check.result() == Result.FAIL || check.result() == Result.WARN)
			.allSatisfy((check) -> assertThat(check.fix()).isNotBlank());
		assertThat(checks).filteredOn((check) -> check.result() == Result.PASS)
			.allSatisfy((check) -> assertThat(check.fix()).isNull());
		awaitRefusal("Domain not found", this.readiness.of(Scope.of(Given.account("free")), domain.id()));
	}

	@Test
	void aSubdomainCoveredByItsParentsPolicyPassesAndOneThatAsksForNothingWarns() {
		Domain parent = create("");
		Domain below = create("mail." + parent.name());
		publish(parent);
		publish(below);
		DNS.remove("TXT", "_dmarc." + below.name());
		DNS.publish("TXT", "_dmarc." + parent.name(), "v=DMARC1; p=none; sp=reject; rua=mailto:a@b.test");
		await(this.verification.verify(this.scope, parent.id()));
		await(this.verification.verify(this.scope, below.id()));
		assertThat(results(below)).containsEntry(Rule.SPF, Result.PASS)
			.containsEntry(Rule.DKIM, Result.PASS)
			.containsEntry(Rule.DMARC, Result.PASS)
			.containsEntry(Rule.DMARC_REPORTS, Result.PASS);
		assertThat(results(parent)).containsEntry(Rule.DMARC, Result.WARN);
		DNS.publish("TXT", "_dmarc." + parent.name(),
				"v=DMARC1; p=quarantine; t=y; aspf=s; rua=mailto:" + this.reports.address(parent).orElseThrow());
		assertThat(results(parent)).containsEntry(Rule.DMARC, Result.WARN)
			.containsEntry(Rule.SPF, Result.WARN)
			.containsEntry(Rule.DMARC_REPORTS, Result.PASS);
		DNS.publish("TXT", "_dmarc." + parent.name(), "v=DMARC1");
		assertThat(results(parent)).containsEntry(Rule.DMARC, Result.FAIL);
		DNS.fail("_dmarc." + parent.name());
		assertThat(results(parent)).containsEntry(Rule.DMARC, Result.UNKNOWN)
			.containsEntry(Rule.DMARC_REPORTS, Result.UNKNOWN);
	}

	@Test
	void complaintsAndMailWithoutTlsOfTheLastWeekCount() {
		Domain domain = create("");
		count(domain, "reputation_day", "delivered, complained", "10000, 9");
		assertThat(results(domain)).containsEntry(Rule.COMPLAINTS, Result.PASS);
		count(domain, "reputation_day", "delivered, complained", "10000, 10");
		assertThat(results(domain)).containsEntry(Rule.COMPLAINTS, Result.WARN);
		count(domain, "reputation_day", "delivered, complained", "10000, 30");
		assertThat(results(domain)).containsEntry(Rule.COMPLAINTS, Result.FAIL);
		count(domain, "provider_day", "provider, delivered, unencrypted", "'other', 10, 1");
		assertThat(results(domain)).containsEntry(Rule.TLS, Result.WARN);
		await(this.domains.update(this.scope, domain.id(), new Domain.Change(null, null, null, true)));
		assertThat(results(domain)).containsEntry(Rule.TLS, Result.PASS);
	}

	@Test
	void aLogoIsCheckedWhenADomainIsVerifiedAndEachWeek() {
		Domain domain = create("");
		publish(domain);
		List<String> fetched = new ArrayList<>();
		BiFunction<String, BimiRecord, List<Problem>> files = (name, record) -> {
			fetched.add(name + " " + record.logo() + " " + record.certificate());
			return List.of();
		};
		assertThat(logo(domain).result()).isEqualTo(Result.UNKNOWN);
		assertThat(check(domain, files).finding()).contains("publishes no logo");
		String host = "default._bimi." + domain.name();
		String policy = "_dmarc." + domain.name();
		DNS.publish("TXT", policy, "v=DMARC1; p=reject; rua=mailto:a@b.test");
		DNS.publish("TXT", host, "v=BIMI1; l=https://a.test/l.svg; a=https://a.test/c.pem");
		Given.run("update bimi_check set check_at = now() + interval '7 days' where domain_id = '%s'", domain.id());
		this.logos.run(files);
		assertThat(fetched).isEmpty();
		assertThat(check(domain, files).result()).isEqualTo(Result.PASS);
		assertThat(fetched).containsExactly(domain.name() + " https://a.test/l.svg https://a.test/c.pem");
		assertThat(check(domain, (_, _) -> List.of(new Problem("It is red.", "Paint it."))))
			.isEqualTo(new ReadinessCheck(Rule.BIMI, Result.WARN, "It is red.", "Paint it."));
		DNS.publish("TXT", policy, "v=DMARC1; p=none; rua=mailto:a@b.test");
		assertThat(check(domain, files).finding()).contains("does not ask to stop");
		DNS.publish("TXT", policy, "v=DMARC1; p=reject; t=y");
		assertThat(check(domain, files).finding()).contains("t=y");
		DNS.publish("TXT", policy, "v=DMARC1; p=reject; sp=none");
		assertThat(check(domain, files).finding()).contains("sp=none");
		DNS.publish("TXT", host, "v=BIMI1; l=; a=;");
		assertThat(check(domain, files).result()).isEqualTo(Result.PASS);
		DNS.fail(host);
		assertThat(check(domain, files).result()).isEqualTo(Result.UNKNOWN);
	}

	@Test
	void aSubdomainHasTheLogoOfItsOrganizationAndNoDomainIsLeftOut() {
		Domain parent = create("");
		DNS.publish("TXT", "_dmarc." + parent.name(), "v=DMARC1; p=quarantine");
		DNS.publish("TXT", "default._bimi." + parent.name(), "v=BIMI1; l=https://a.test/l.svg");
		Domain below = create("mail." + parent.name());
		this.logos.add();
		Given.run("update bimi_check set check_at = now() where domain_id = '%s'", below.id());
		List<String> found = new ArrayList<>();
		this.logos.run((name, record) -> {
			found.add(name + " " + record.at());
			return List.of();
		});
		assertThat(found).contains(below.name() + " " + parent.name());
		assertThat(logo(below).result()).isEqualTo(Result.PASS);
	}

	private ReadinessCheck check(Domain domain, BiFunction<String, BimiRecord, List<Problem>> files) {
		await(this.logos.checkNow(this.scope, domain.id()));
		this.logos.run(files);
		return logo(domain);
	}

	private ReadinessCheck logo(Domain domain) {
		return await(this.readiness.of(this.scope, domain.id())).getLast();
	}

	private static void count(Domain domain, String table, String columns, String values) {
		Given.run("delete from %s where domain_id = '%s'", table, domain.id());
		Given.run(
				"insert into %s (account_id, domain_id, day, %s) values ('%s', '%s', (now() at time zone 'UTC')::date, %s)",
				table, columns, domain.accountId(), domain.id(), values);
	}

	private Domain create(String name) {
		return await(this.domains.create(this.scope, name.isEmpty() ? "d" + UUID.randomUUID() + ".test" : name));
	}

	private Map<Rule, Result> results(Domain domain) {
		return await(this.readiness.of(this.scope, domain.id())).stream()
			.collect(Collectors.toMap(ReadinessCheck::rule, ReadinessCheck::result, (one, _) -> one,
					() -> new EnumMap<>(Rule.class)));
	}

}
