package dev.mailroom.trackingdomain;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.domain.AskingTestDns;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static org.assertj.core.api.Assertions.assertThat;

class HostedPoliciesTest extends AskingTestDns {

	@Autowired
	HostedPolicies policies;

	@Autowired
	InboundCertificates certificates;

	@Autowired
	TrackingDomains domains;

	@Autowired
	TrackingNames names;

	@Autowired
	TrackingWatch watch;

	private final Scope sender = Given.sender("free");

	private final Scope scope = Scope.of(this.sender.account());

	private final UUID id = this.sender.domain();

	private final String domain = this.id + ".test";

	@BeforeEach
	void receiveWithAValidCertificate() {
		certificate(true, 0);
		DNS.publish("MX", this.domain, "10 mx.platform.test");
	}

	private void certificate(boolean valid, int hoursAgo) {
		this.certificates.save(new InboundCertificate("mx.platform.test", valid, "It has expired", "3 1 1 00", null,
				Instant.now().minus(hoursAgo, ChronoUnit.HOURS)));
	}

	private String obstacle() {
		return await(this.policies.find(this.scope, this.id)).obstacle();
	}

	@Test
	void aPolicyIsTestedAndThenEnforcedAndServesNoneAfterItsEnd() {
		HostedPolicy tested = await(this.policies.choose(this.scope, this.id, "testing"));
		assertThat(tested.mode()).isEqualTo("testing");
		assertThat(tested.records()).first()
			.isEqualTo(new HostedPolicy.PolicyRecord("CNAME", "mta-sts." + this.domain, "links.platform.test"));
		assertThat(tested.records().getLast().value()).matches("v=STSv1; id=[0-9a-f]{32};");
		assertThat(await(this.names.policy("mta-sts." + this.domain)))
			.isEqualTo("version: STSv1\r\nmode: testing\r\nmx: mx.platform.test\r\nmax_age: 86400\r\n");
		assertThat(tested.obstacle()).startsWith("The policy is tested until ");
		awaitRefusal("Policy not possible", this.policies.choose(this.scope, this.id, "enforce"));
		Given.run("update hosted_policy set since = now() - interval '15 days' where domain_id = '%s'", this.id);
		assertThat(obstacle()).isEqualTo("The policy cannot be fetched yet: publish its records");
		Given.run("update tracking_domain set check_at = now() where domain_id = '%s'", this.id);
		this.watch.run((_) -> new TrackingFinding.Reached());
		assertThat(Given.rows("select coalesce(link_host, 'shared') from domain where id = '%s'", this.id))
			.as("links do not have the name")
			.containsExactly("shared");
		assertThat(await(this.domains.list(this.scope))).isEmpty();
		Given.run(
				"insert into tls_report values ('%2$s', '%1$s', '%2$s', 's', 'o', 'r', true, now(), now(), 1, 1, now()); "
						+ "insert into tls_report_failure values ('%2$s', 0, '%1$s', 'sts', 'r', '', '', '', 3)",
				this.scope.account(), this.id);
		assertThat(obstacle()).contains("3 failed sessions");
		Given.run("update tls_report set begin_at = now() - interval '20 days' where domain_id = '%s'", this.id);
		HostedPolicy enforced = await(this.policies.choose(this.scope, this.id, "enforce"));
		assertThat(enforced.mode()).isEqualTo("enforce");
		assertThat(enforced.state()).isEqualTo("active");
		assertThat(enforced.records().getLast()).isNotEqualTo(tested.records().getLast());
		assertThat(await(this.policies.choose(this.scope, this.id, "testing")).mode()).isEqualTo("testing");
		assertThat(Await.isEmpty(this.policies.remove(this.scope, this.id))).isTrue();
		assertThat(Given.rows("select act from audit where account_id = '%s' and act like 'hosted%%' order by id",
				this.scope.account()))
			.endsWith("hosted_policy.removed");
		assertThat(await(this.policies.find(this.scope, this.id)).records()).isEmpty();
		assertThat(Given.rows(
				"select coalesce((select mode from hosted_policy where domain_id = '%1$s'), 'none') "
						+ "from tracking_domain where domain_id = '%1$s' and policy and removed_at is not null",
				this.id))
			.containsExactly("none");
	}

	@Test
	void aPolicyNeedsAValidCertificateAndOurServerAlone() {
		certificate(false, 0);
		assertThat(obstacle()).contains("It has expired");
		awaitRefusal("Policy not possible", this.policies.choose(this.scope, this.id, "testing"));
		certificate(true, 4);
		assertThat(obstacle()).contains("was not checked");
		certificate(true, 1);
		DNS.publish("MX", this.domain, "10 mx.platform.test", "20 mx.other.test");
		assertThat(obstacle()).contains("found mx.platform.test, mx.other.test");
		awaitRefusal("Invalid request data", this.policies.choose(this.scope, this.id, "none"));
		awaitRefusal("Domain not found", this.policies.choose(Scope.of(Given.account("free")), this.id, "testing"));
	}

	@Test
	void theNameOfAPolicyIsNoTrackingDomain() {
		awaitRefusal("Invalid request data", this.domains.create(this.scope, this.id, "mta-sts." + this.domain));
		await(this.policies.choose(this.scope, this.id, "testing"));
		String name = Given.rows("select id from tracking_domain where domain_id = '%s'", this.id).getFirst();
		awaitRefusal("Tracking domain not found", this.domains.delete(this.scope, UUID.fromString(name)));
		assertThat(await(this.policies.choose(this.scope, this.id, "testing")).mode()).isEqualTo("testing");
	}

}
