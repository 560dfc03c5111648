package dev.mailroom.trackingdomain;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.domain.AskingTestDns;
import dev.mailroom.domain.NameServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

class CertificatesTest extends AskingTestDns {

	@Autowired
	Certificates certificates;

	@Autowired
	NameServers dns;

	private final Scope sender = Given.sender("free");

	private final String name = "links." + this.sender.domain() + ".test";

	@BeforeEach
	void leaveOtherNamesAlone() {
		Given.run("update tracking_domain set renew_at = 'infinity'; delete from acme_order");
	}

	@Test
	void aCertificateIsOrderedOnceDnsLeadsHereAndRenewedAtTwoThirdsOfItsLife() throws Exception {
		add("pending");
		assertThat(this.certificates.begin()).isEmpty();
		Given.run("update tracking_domain set state = 'dns_ok' where name = '%s'", this.name);
		Certificates.Order order = this.certificates.begin().orElseThrow();
		assertThat(order.name()).isEqualTo(this.name);
		assertThat(this.certificates.begin()).as("one order at a time").isEmpty();
		KeyPair keys = keys();
		Instant begin = Instant.now().truncatedTo(ChronoUnit.SECONDS);
		this.certificates.issued(order, keys.getPrivate(), "chain", begin, begin.plus(Duration.ofDays(90)));
		assertThat(renewal()).isCloseTo(begin.plus(Duration.ofDays(60)), within(6, ChronoUnit.DAYS));
		assertThat(await(this.certificates.find(this.name))).satisfies((found) -> {
			assertThat(found.chain()).isEqualTo("chain");
			assertThat(found.key()).isEqualTo(keys.getPrivate());
		});
		assertThat(Given.rows("select encode(sealed_key, 'hex') from tracking_domain where name = '%s'", this.name)
			.getFirst()).doesNotContain(HexFormat.of().formatHex(keys.getPrivate().getEncoded()));
		assertThat(this.certificates.begin()).isEmpty();
		Given.run("update tracking_domain set renew_at = now(), removed_at = now() where name = '%s'", this.name);
		assertThat(this.certificates.begin()).as("also after the name was removed").isPresent();
		Given.run("update tracking_domain set expires_at = now() where name = '%s'", this.name);
		assertThat(Await.isEmpty(this.certificates.find(this.name))).isTrue();
		assertThat(this.certificates.counts()).containsKey("expired");
	}

	@Test
	void eachFailureDoublesTheDelayUpToADay() {
		add("dns_ok");
		for (Duration delay : List.of(Duration.ofMinutes(1), Duration.ofMinutes(2), Duration.ofMinutes(4))) {
			Certificates.Order order = this.certificates.begin().orElseThrow();
			this.certificates.failed(order, "refused");
			assertThat(renewal()).isCloseTo(Instant.now().plus(delay), within(20, ChronoUnit.SECONDS));
			Given.run("update tracking_domain set renew_at = now() where name = '%s'", this.name);
		}
		Given.run("update tracking_domain set order_failures = 40 where name = '%s'", this.name);
		this.certificates.failed(this.certificates.begin().orElseThrow(), "refused");
		assertThat(renewal()).isCloseTo(Instant.now().plus(Duration.ofDays(1)), within(20, ChronoUnit.SECONDS));
		assertThat(await(this.certificates.orders())).filteredOn((order) -> order.name().equals(this.name))
			.hasSize(4)
			.allSatisfy((order) -> assertThat(order.error()).isEqualTo("refused"));
	}

	@Test
	void anHourHasTwentyOrdersAtMost() {
		add("dns_ok");
		for (int i = 0; i < Certificates.MAX_ORDERS; i++) {
			assertThat(this.certificates.begin()).isPresent();
			Given.run("update tracking_domain set renew_at = now() where name = '%s'", this.name);
		}
		assertThat(this.certificates.begin()).isEmpty();
		Given.run("update acme_order set began_at = now() - interval '1 hour' where name = '%s'", this.name);
		assertThat(this.certificates.begin()).isPresent();
	}

	@Test
	void theKeyOfAnAccountIsKeptAndChallengesEnd() {
		String directory = "https://" + UUID.randomUUID();
		byte[] first = "first".getBytes(StandardCharsets.UTF_8);
		assertThat(this.certificates.accountKey(directory, first)).isEqualTo(first);
		assertThat(this.certificates.accountKey(directory, new byte[] { 1 })).isEqualTo(first);
		String token = UUID.randomUUID().toString();
		this.certificates.publish(token, "answer");
		assertThat(await(this.certificates.answer(token))).isEqualTo("answer");
		Given.run("update acme_challenge set expires_at = now() where token = '%s'", token);
		assertThat(Await.isEmpty(this.certificates.answer(token))).isTrue();
	}

	@Test
	void authoritiesAreThoseOfTheClosestNameWithCaaRecords() {
		List<String> authorities = List.of("ca.test");
		assertThat(await(this.dns.mayIssue(this.name, authorities))).isTrue();
		DNS.publish("CAA", this.sender.domain() + ".test", "0 issue other.test", "0 iodef mailto:a@b.test");
		assertThat(await(this.dns.mayIssue(this.name, authorities))).isFalse();
		DNS.publish("CAA", this.name, "0 issue CA.test; validationmethods=http-01");
		assertThat(await(this.dns.mayIssue(this.name, authorities))).isTrue();
		DNS.publish("CAA", this.name, "0 issue ;");
		assertThat(await(this.dns.mayIssue(this.name, authorities))).isFalse();
		DNS.publish("CAA", this.name, "0 iodef mailto:a@b.test");
		assertThat(await(this.dns.mayIssue(this.name, authorities))).isTrue();
		DNS.fail("CAA", this.name);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> await(this.dns.mayIssue(this.name, authorities)))
			.withMessageContaining("did not answer");
	}

	private void add(String state) {
		Given.run(
				"insert into tracking_domain (id, account_id, domain_id, name, state, created_at) values "
						+ "(gen_random_uuid(), '%s', '%s', '%s', '%s', now())",
				this.sender.account(), this.sender.domain(), this.name, state);
	}

	private Instant renewal() {
		return Instant.parse(Given
			.rows("select to_char(renew_at at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') from tracking_domain "
					+ "where name = '%s'", this.name)
			.getFirst());
	}

	private static KeyPair keys() throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
		generator.initialize(256);
		return generator.generateKeyPair();
	}

}
