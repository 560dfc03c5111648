package dev.mailroom.domain;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import com.fasterxml.uuid.NoArgGenerator;
import com.fasterxml.uuid.UUIDType;
import dev.mailroom.Given;
import dev.mailroom.Page;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.audit.Audits;
import dev.mailroom.database.Transactions;
import dev.mailroom.directory.Directory;
import dev.mailroom.domain.DnsRecord.Purpose;
import dev.mailroom.domain.Domain.Status;
import dev.mailroom.secret.Seal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import static dev.mailroom.Await.await;
import static dev.mailroom.Await.awaitRefusal;
import static dev.mailroom.Await.errorName;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DomainTest extends AskingTestDns {

	@Autowired
	ApplicationContext context;

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
	void namesAreStoredLowerCaseAndInAscii(String given, String stored) {
		String unique = "d" + UUID.randomUUID() + ".";
		assertThat(await(this.domains.create(this.scope, unique + given)).name()).isEqualTo(unique + stored);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "localhost", "com", "co.uk", "1.2.3.4", "a..b", "-a.com", "a_b.com", "a b.com",
			"https://a.com", "github.io", "a.com/b" })
	void namesThatCannotBeSendingDomainsAreRefused(String name) {
		awaitRefusal("Invalid request data", this.domains.create(this.scope, name));
	}

	@Test
	void namesThatAreTooLongAreRefused() {
		for (int length : new int[] { 64, 300, 1001, 100_000 }) {
			awaitRefusal("Invalid request data", this.domains.create(this.scope, "ü".repeat(length) + ".com"));
			awaitRefusal("Invalid request data", this.domains.create(this.scope, "ü.".repeat(length) + "com"));
		}
	}

	@Test
	void aDomainIsVerifiedWhenItsRecordsAreFound() {
		Domain domain = create();
		assertThat(domain.status()).isEqualTo(Status.PENDING);
		assertThat(domain.records()).extracting(DnsRecord::purpose)
			.containsExactly(Purpose.OWNERSHIP, Purpose.DKIM, Purpose.DKIM, Purpose.RETURN_PATH, Purpose.SPF,
					Purpose.DMARC);
		Domain unpublished = verify(domain);
		assertThat(unpublished.status()).isEqualTo(Status.PENDING);
		assertThat(unpublished.records()).allMatch((record) -> record.status() == Status.FAILED)
			.allMatch((record) -> record.error().contains("found nothing"));
		publish(domain);
		Domain verified = verify(domain);
		assertThat(verified.status()).isEqualTo(Status.VERIFIED);
		assertThat(verified.verifiedAt()).isNotNull();
		assertThat(verified.records()).allMatch((record) -> record.status() == Status.VERIFIED);
		DnsRecord ownership = domain.records().getFirst();
		DNS.publish("TXT", ownership.host(), "something else");
		assertThat(verify(domain).records().getFirst().error()).contains("something else").contains(ownership.value());
	}

	@Test
	void aPolicyOfTheParentCoversADomainAndTheVersionAloneIsNone() {
		Domain domain = create();
		DnsRecord policy = domain.records().getLast();
		DNS.publish("TXT", policy.host(), "v=DMARC1");
		assertThat(verify(domain).records().getLast().error()).contains("found v=DMARC1");
		DNS.publish("TXT", policy.host(), "v=DMARC1; rua=mailto:reports@" + domain.name());
		assertThat(verify(domain).records().getLast().status()).isEqualTo(Status.VERIFIED);
		DNS.fail(policy.host());
		assertThat(verify(domain).records().getLast()).satisfies((record) -> {
			assertThat(record.status()).isEqualTo(Status.TEMPORARY_FAILURE);
			assertThat(record.error()).contains("did not answer");
		});
		Domain below = await(this.domains.create(this.scope, "mail." + domain.name()));
		DNS.publish("TXT", policy.host(), "v=DMARC1; p=reject");
		assertThat(verify(below).records().getLast().status()).isEqualTo(Status.VERIFIED);
	}

	@Test
	void failedLookupsDoNotFailAVerifiedDomain() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		DNS.fail(domain.records().getFirst().host());
		Domain unreachable = verify(domain);
		assertThat(unreachable.status()).isEqualTo(Status.TEMPORARY_FAILURE);
		assertThat(unreachable.records().getFirst().status()).isEqualTo(Status.TEMPORARY_FAILURE);
		Domain pending = create();
		DNS.fail(pending.records().getFirst().host());
		assertThat(verify(pending).status()).isEqualTo(Status.PENDING);
		publish(domain);
		assertThat(verify(domain).status()).isEqualTo(Status.VERIFIED);
	}

	@Test
	void aDomainWithoutItsRecordsFailsAfterTheGracePeriod() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		unpublish(domain);
		assertThat(verify(domain).status()).isEqualTo(Status.TEMPORARY_FAILURE);
		Given.run("update domain set failing_since = now() - interval '73 hours' where id = '%s'", domain.id());
		assertThat(verify(domain).status()).isEqualTo(Status.FAILED);
		assertThat(Given.rows("select kind from event where account_id = '%s' order by id", this.scope.account()))
			.containsExactly("domain.verified", "domain.failed");
	}

	@Test
	void keysAreGeneratedOnlyForADomainThatMayBeCreated() {
		CountingIds keyIds = new CountingIds();
		Domains counted = new Domains(bean(DomainStore.class), bean(DkimKeyStore.class),
				new DkimKeys(bean(Seal.class), keyIds), bean(Records.class), bean(Transactions.class),
				bean(Audits.class), bean(Directory.class), bean(DomainSettings.class), bean(NoArgGenerator.class),
				bean(Clock.class), this.context);
		Domain domain = await(counted.create(this.scope, "d" + UUID.randomUUID() + ".test"));
		assertThat(keyIds.count).hasValue(2);
		awaitRefusal("Duplicate name", counted.prepare(this.scope, domain.name()));
		Given.run(
				"insert into domain (id, account_id, name, ownership_token, created_at) "
						+ "select gen_random_uuid(), '%s', n || '-%s.test', '', now() from generate_series(1, 9) n",
				this.scope.account(), domain.id());
		awaitRefusal("Domain limit reached", counted.prepare(this.scope, "another-" + domain.name()));
		assertThat(keyIds.count).hasValue(2);
	}

	@Test
	void theTransportsOfTenantsAreThoseThatTheOperatorPermits() {
		Domain domain = create();
		for (String transport : List.of("mx", "relay")) {
			awaitRefusal("Forbidden",
					this.domains.update(this.scope, domain.id(), Domain.Change.of(null, null, transport, null)));
		}
		await(this.domains.update(this.scope, domain.id(), Domain.Change.of(null, null, "default", true)));
		DomainSettings some = new DomainSettings("p.test", "mx.p.test", "spf.p.test", List.of(), Duration.ofHours(1),
				Duration.ofHours(1), List.of("relay", " mx"), false);
		assertThat(some.permits(Domain.Transport.MX)).isTrue();
	}

	@Test
	void aNameIsVerifiedForOneAccountOnly() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		Scope other = Scope.of(Given.account("free"));
		Domain second = await(this.domains.create(other, domain.name()));
		second.records().forEach((record) -> DNS.publish(record.type(), record.host(), record.value()));
		Domain claimed = await(this.verification.verify(other, second.id()));
		assertThat(claimed.status()).isEqualTo(Status.PENDING);
		assertThat(claimed.records().getFirst().error()).contains("another account");
		await(this.domains.delete(this.scope, domain.id()));
		assertThat(await(this.verification.verify(other, second.id())).status()).isEqualTo(Status.VERIFIED);
	}

	@Test
	void concurrentRequestsCreateANameOnceAndRespectThePlansLimit() {
		String name = "d" + UUID.randomUUID() + ".test";
		List<String> same = outcomes(IntStream.range(0, 4).mapToObj((_) -> name).toList());
		assertThat(same).filteredOn("ok"::equals).hasSize(1);
		assertThat(same).filteredOn("Duplicate name"::equals).hasSize(3);
		IntStream.range(0, 6).forEach((_) -> Given.domain(this.scope.account()));
		List<String> many = outcomes(IntStream.range(0, 5).mapToObj((i) -> i + name).toList());
		assertThat(many).filteredOn("ok"::equals).hasSize(3);
		assertThat(many).filteredOn("Domain limit reached"::equals).hasSize(2);
	}

	@Test
	void newKeysReplaceTheOldOnesWhenTheirRecordsAreFound() {
		Domain domain = create();
		publish(domain);
		verify(domain);
		List<String> old = selectors(domain.id());
		Domain rotating = await(this.domains.rotate(this.scope, domain.id()));
		assertThat(rotating.records()).filteredOn((record) -> record.purpose() == Purpose.DKIM).hasSize(4);
		assertThat(verify(domain).status()).isEqualTo(Status.VERIFIED);
		assertThat(selectors(domain.id())).isEqualTo(old);
		publish(rotating);
		assertThat(verify(domain).records()).filteredOn((record) -> record.purpose() == Purpose.DKIM).hasSize(2);
		assertThat(selectors(domain.id())).hasSize(2).doesNotContainAnyElementsOf(old);
	}

	@Test
	void theDomainOfAnotherAccountIsNotFound() {
		Domain domain = create();
		Scope other = Scope.of(Given.account("free"));
		awaitRefusal("Domain not found", this.domains.find(other, domain.id()));
		awaitRefusal("Domain not found", this.domains.delete(other, domain.id()));
		awaitRefusal("Domain not found",
				this.domains.update(other, domain.id(), new Domain.Change(true, null, null, null)));
		awaitRefusal("Domain not found", this.domains.rotate(other, domain.id()));
		awaitRefusal("Domain not found", this.verification.verify(other, domain.id()));
		assertThat(await(this.domains.list(other, new Page.Request(1, 50))).items()).isEmpty();
		Domain tracked = await(this.domains.update(this.scope, domain.id(), new Domain.Change(true, null, null, null)));
		assertThat(tracked.openTracking()).isTrue();
		assertThat(tracked.clickTracking()).isFalse();
	}

	@Test
	void aTransportThatTheOperatorDoesNotPermitIsRefused() {
		Domain domain = create();
		assertThat(domain.transport()).isEqualTo(Domain.Transport.DEFAULT);
		awaitRefusal("Forbidden",
				this.domains.update(this.scope, domain.id(), Domain.Change.of(null, null, "mx", null)));
		Domain strict = await(
				this.domains.update(this.scope, domain.id(), Domain.Change.of(null, null, "default", true)));
		assertThat(strict.transport()).isEqualTo(Domain.Transport.DEFAULT);
		assertThat(strict.requireTls()).isTrue();
		assertThatExceptionOfType(Refused.class).isThrownBy(() -> Domain.Change.of(null, null, "pigeon", null))
			.satisfies((refused) -> assertThat(refused.message())
				.isEqualTo("transport must be one of default, relay, mx"));
	}

	@Test
	void thePlatformDomainIsCreatedOnceAndHasSigningKeys() {
		await(this.accounts.ensurePlatform());
		List<Domain> domains = await(
				Flux.range(0, 4).flatMap((i) -> this.platformDomain.ensure(Account.PLATFORM), 4).collectList());
		assertThat(domains).extracting(Domain::id).containsOnly(domains.getFirst().id());
		assertThat(domains.getFirst().status()).isEqualTo(Status.VERIFIED);
		assertThat(selectors(domains.getFirst().id())).hasSize(2);
	}

	private List<String> outcomes(List<String> names) {
		return await(Flux.fromIterable(names)
			.flatMap((name) -> errorName(this.domains.create(this.scope, name)), 16)
			.collectList());
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

	private <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	/** Random ids, counted. */
	private static final class CountingIds extends NoArgGenerator {

		private final AtomicInteger count = new AtomicInteger();

		@Override
		public UUIDType getType() {
			return UUIDType.RANDOM_BASED;
		}

		@Override
		public UUID generate() {
			this.count.incrementAndGet();
			return UUID.randomUUID();
		}

	}

}
