package dev.mailroom.tlspolicy;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

import dev.mailroom.Given;
import dev.mailroom.WithCore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@WithCore
class DaneDomainsTest {

	@Autowired
	DaneDomains domains;

	@Autowired
	StsPolicies policies;

	@AfterEach
	void remove() {
		Given.run("delete from dane_seen; delete from mta_sts_policy");
	}

	@Test
	void aDomainIsRememberedForThirtyDaysWithTheLastResult() {
		this.domains.save("b.test", "refused");
		this.domains.save("b.test", "verified");
		DaneDomains.Seen seen = this.domains.find("b.test").orElseThrow();
		assertThat(seen.result()).isEqualTo("verified");
		assertThat(seen.secureUntil()).isCloseTo(Instant.now().plus(Duration.ofDays(30)),
				within(1, ChronoUnit.MINUTES));
		Given.run("update dane_seen set secure_until = now() - interval '1 second'");
		assertThat(this.domains.find("b.test")).isEmpty();
		this.domains.save("c.test", "encrypted");
		assertThat(Given.rows("select domain from dane_seen")).containsExactly("c.test");
	}

	@Test
	void theResultOfAPolicyIsKeptWhenItIsFetchedAgain() {
		StsPolicy policy = new StsPolicy("a", StsPolicy.Mode.ENFORCE, List.of("mx.b.test"), Duration.ofDays(1),
				Instant.now());
		this.policies.save("b.test", policy);
		this.policies.saveResult("b.test", "enforced");
		this.policies.save("b.test", policy);
		assertThat(Given.rows("select mode || ' ' || result from mta_sts_policy")).containsExactly("enforce enforced");
	}

}
