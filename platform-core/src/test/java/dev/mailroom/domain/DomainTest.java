package dev.mailroom.domain;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

class DomainTest extends AskingTestDns {

	@Autowired
	Domains domains;

	@Autowired
	Verification verification;

	@Autowired
	SigningKeys signingKeys;

	@Autowired
	PlatformDomain platformDomain;

	@Autowired
	Accounts accounts;

	private final Scope scope = Scope.of(Given.account("free"));

	@ParameterizedTest
	@CsvSource({ "Mail.Example.COM, mail.example.com", "example.com., example.com", "münchen.de, xn--mnchen-3ya.de",
			"a.test, a.test" })
	void aNameIsKeptLowerCaseAndAscii(String given, String kept) {
		String unique = "d" + UUID.randomUUID() + ".";
		assertThat(await(this.domains.create(this.scope, unique + given)).name()).isEqualTo(unique + kept);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "localhost", "com", "co.uk", "1.2.3.4", "a..b", "-a.com", "a_b.com", "a b.com",
			"https://a.com", "github.io", "a.com/b" })
	void aNameThatCannotBeOnesOwnIsRefused(String name) {
		refused("Invalid request data", this.domains.create(this.scope, name));
	}

	@Test
	void aDomainIsVerifiedWhenDnsHasItsOwnershipAndItsKey() {
		Domain domain = create();
		assertThat(domain.status()).isEqualTo("pending");
		assertThat(domain.records()).extracting(DnsRecord::purpose)
			.containsExactly("ownership", "dkim", "dkim", "return_path", "spf", "dmarc");
		Domain unpublished = verify(domain);
		assertThat(unpublished.status()).isEqualTo("pending");
		assertThat(unpublished.records()).allMatch((record) -> record.status().equals("failed"))
			.allMatch((record) -> record.error().contains("found nothing"));
		publish(domain);
		Domain verified = verify(domain);
		assertThat(verified.status()).isEqualTo("verified");
		assertThat(verified.verifiedAt()).isNotNull();
		assertThat(verified.records()).allMatch((record) -> record.status().equals("verified"));
		DnsRecord ownership = domain.records().getFirst();
		DNS.publish("TXT", ownership.host(), "something else");
		assertThat(verify(domain).records().getFirst().error()).contains("something else").contains(ownership.value());
	}

	@Test
	void nameServersThatDoNotAnswerTakeNoVerifiedDomainDown() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		DNS.fail(domain.records().getFirst().host());
		Domain shaken = verify(domain);
		assertThat(shaken.status()).isEqualTo("temporary_failure");
		assertThat(shaken.records().getFirst().status()).isEqualTo("temporary_failure");
		Domain never = create();
		DNS.fail(never.records().getFirst().host());
		assertThat(verify(never).status()).isEqualTo("pending");
		publish(domain);
		assertThat(verify(domain).status()).isEqualTo("verified");
	}

	@Test
	void aDomainWithoutItsRecordsFailsOnlyAfterItsGrace() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		unpublish(domain);
		assertThat(verify(domain).status()).isEqualTo("temporary_failure");
		Given.run("update domain set failing_since = now() - interval '73 hours' where id = '%s'", domain.id());
		assertThat(verify(domain).status()).isEqualTo("failed");
		assertThat(Given.rows("select kind from event where account_id = '%s' order by id", this.scope.account()))
			.containsExactly("domain.verified", "domain.failed");
	}

	@Test
	void aVerifiedNameBelongsToOneAccount() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		Scope other = Scope.of(Given.account("free"));
		Domain second = await(this.domains.create(other, domain.name()));
		second.records().forEach((record) -> DNS.publish(record.type(), record.host(), record.value()));
		Domain claimed = await(this.verification.verify(other, second.id()));
		assertThat(claimed.status()).isEqualTo("pending");
		assertThat(claimed.records().getFirst().error()).contains("another account");
		await(this.domains.delete(this.scope, domain.id()));
		assertThat(await(this.verification.verify(other, second.id())).status()).isEqualTo("verified");
	}

	@Test
	void ofTwoDomainsOfOneNameAtOnceOneIsMadeAndThePlansLimitIsExact() {
		String name = "d" + UUID.randomUUID() + ".test";
		List<String> same = outcomes(IntStream.range(0, 8).mapToObj((i) -> name).toList());
		assertThat(same).filteredOn("made"::equals).hasSize(1);
		assertThat(same).filteredOn("Duplicate name"::equals).hasSize(7);
		List<String> many = outcomes(IntStream.range(0, 14).mapToObj((i) -> i + name).toList());
		assertThat(many).filteredOn("made"::equals).hasSize(9);
		assertThat(many).filteredOn("Domain limit reached"::equals).hasSize(5);
	}

	@Test
	void aNewPairOfKeysSignsOnceDnsHasItAndTheOldOneUntilThen() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		List<String> old = selectors(domain.id());
		Domain rotating = await(this.domains.rotate(this.scope, domain.id()));
		assertThat(rotating.records()).filteredOn((record) -> record.purpose().equals("dkim")).hasSize(4);
		assertThat(verify(domain).status()).isEqualTo("verified");
		assertThat(selectors(domain.id())).isEqualTo(old);
		publish(rotating);
		assertThat(verify(domain).records()).filteredOn((record) -> record.purpose().equals("dkim")).hasSize(2);
		assertThat(selectors(domain.id())).hasSize(2).doesNotContainAnyElementsOf(old);
	}

	@Test
	void anotherAccountsDomainIsNotThere() {
		Domain domain = create();
		Scope other = Scope.of(Given.account("free"));
		refused("Domain not found", this.domains.find(other, domain.id()));
		refused("Domain not found", this.domains.delete(other, domain.id()));
		refused("Domain not found", this.domains.update(other, domain.id(), new Domain.Change(true, null, null, null)));
		refused("Domain not found", this.domains.rotate(other, domain.id()));
		refused("Domain not found", this.verification.verify(other, domain.id()));
		assertThat(await(this.domains.list(other, new Page.Request(1, 50))).items()).isEmpty();
		Domain tracked = await(this.domains.update(this.scope, domain.id(), new Domain.Change(true, null, null, null)));
		assertThat(tracked.openTracking()).isTrue();
		assertThat(tracked.clickTracking()).isFalse();
	}

	@Test
	void aDomainChoosesHowItsMailLeavesAndGoesBackToTheUsualWay() {
		Domain domain = create();
		assertThat(domain.transport()).isEqualTo("default");
		Domain chosen = await(this.domains.update(this.scope, domain.id(), new Domain.Change(null, null, "mx", true)));
		assertThat(chosen.transport()).isEqualTo("mx");
		assertThat(chosen.requireTls()).isTrue();
		Domain usual = await(
				this.domains.update(this.scope, domain.id(), new Domain.Change(null, null, "default", null)));
		assertThat(usual.transport()).isEqualTo("default");
		assertThat(usual.requireTls()).isTrue();
		refused("Invalid request data",
				this.domains.update(this.scope, domain.id(), new Domain.Change(null, null, "pigeon", null)));
	}

	@Test
	void thePlatformsDomainIsMadeOnceAndSigns() {
		await(this.accounts.ensurePlatform());
		List<Domain> made = await(
				Flux.range(0, 4).flatMap((i) -> this.platformDomain.ensure(Account.PLATFORM), 4).collectList());
		assertThat(made).extracting(Domain::id).containsOnly(made.getFirst().id());
		assertThat(made.getFirst().status()).isEqualTo("verified");
		assertThat(selectors(made.getFirst().id())).hasSize(2);
	}

	private List<String> outcomes(List<String> names) {
		return await(Flux.fromIterable(names)
			.flatMap((name) -> this.domains.create(this.scope, name)
				.map((_) -> "made")
				.onErrorResume(Refused.class, (no) -> Mono.just(no.refusal().error())), 16)
			.collectList());
	}

	private List<String> selectors(UUID domain) {
		return await(this.signingKeys.of(domain)).stream().map(SigningKey::selector).toList();
	}

	private Domain create() {
		return await(this.domains.create(this.scope, "d" + UUID.randomUUID() + ".test"));
	}

	private Domain verify(Domain domain) {
		return await(this.verification.verify(this.scope, domain.id()));
	}

	private static void refused(String error, Mono<?> work) {
		StepVerifier.create(work)
			.expectErrorSatisfies((ex) -> assertThat(((Refused) ex).refusal().error()).isEqualTo(error))
			.verify(Duration.ofSeconds(20));
	}

}
