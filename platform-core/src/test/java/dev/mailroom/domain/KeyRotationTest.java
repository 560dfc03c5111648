package dev.mailroom.domain;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.database.Transactions;
import dev.mailroom.domain.DnsRecord.Purpose;
import dev.mailroom.domain.Domain.Status;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

class KeyRotationTest extends AskingTestDns {

	@Autowired
	Domains domains;

	@Autowired
	Verification verification;

	@Autowired
	SigningKeys signingKeys;

	@Autowired
	DkimKeyStore keyStore;

	@Autowired
	Transactions transactions;

	private final Scope scope = Scope.of(Given.account("free"));

	@Test
	void aKeyThatIsNotActiveDoesNotKeepTheDomainVerified() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		List<DnsRecord> added = added(domain, await(this.domains.rotate(this.scope, domain.id())));
		DnsRecord rsa = added.stream().filter((record) -> record.value().contains("k=rsa")).findFirst().orElseThrow();
		DNS.publish(rsa.type(), rsa.host(), rsa.value());
		domain.records()
			.stream()
			.filter((record) -> record.purpose() == Purpose.DKIM)
			.forEach((record) -> DNS.remove(record.type(), record.host()));
		assertThat(verify(domain).status()).isEqualTo(Status.TEMPORARY_FAILURE);
		assertThat(Given.rows("select failing_since is not null from domain where id = '%s'", domain.id()))
			.containsExactly("t");
		added.forEach((record) -> DNS.publish(record.type(), record.host(), record.value()));
		assertThat(verify(domain).status()).isEqualTo(Status.VERIFIED);
	}

	@Test
	void activatingKeysThatWereDeletedKeepsTheActiveOnes() {
		Domain domain = create();
		List<String> old = selectors(domain.id());
		List<DnsRecord> deleted = added(domain, await(this.domains.rotate(this.scope, domain.id())));
		await(this.domains.rotate(this.scope, domain.id()));
		String[] selectors = deleted.stream()
			.map((record) -> record.host().substring(0, record.host().indexOf('.')))
			.toArray(String[]::new);
		await(this.transactions.in(this.scope, this.keyStore.activate(this.scope, domain.id(), selectors)));
		assertThat(selectors(domain.id())).isEqualTo(old);
		assertThat(await(this.domains.find(this.scope, domain.id())).records())
			.filteredOn((record) -> record.purpose() == Purpose.DKIM)
			.hasSize(4);
	}

	private List<String> selectors(UUID domain) {
		return this.signingKeys.of(domain).orElseThrow().stream().map(SigningKey::selector).toList();
	}

	private Domain create() {
		return await(this.domains.create(this.scope, "d" + UUID.randomUUID() + ".test"));
	}

	private Domain verify(Domain domain) {
		return await(this.verification.verify(this.scope, domain.id()));
	}

	/** The records that a rotation has added. */
	private static List<DnsRecord> added(Domain before, Domain rotating) {
		List<String> known = before.records().stream().map(DnsRecord::host).toList();
		return rotating.records().stream().filter((record) -> !known.contains(record.host())).toList();
	}

}
