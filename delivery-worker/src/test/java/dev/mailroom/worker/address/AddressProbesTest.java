package dev.mailroom.worker.address;

import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.WrongSetting;
import dev.mailroom.addresscheck.AddressCheck;
import dev.mailroom.addresscheck.AddressCheck.Kind;
import dev.mailroom.addresscheck.AddressCheck.Result;
import dev.mailroom.addresscheck.AddressChecks;
import dev.mailroom.addresscheck.BlockList;
import dev.mailroom.domain.NameServers;
import dev.mailroom.domain.TestDns;
import dev.mailroom.observability.AddressMeters;
import dev.mailroom.source.SendingSources;
import dev.mailroom.worker.Programs;
import dev.mailroom.worker.Surroundings;
import dev.mailroom.worker.address.AddressSettings.Mx;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static dev.mailroom.worker.Surroundings.DNS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Checks of sending addresses against zones of the test's name server. */
@Surroundings.WorkerAlone
@ExtendWith(OutputCaptureExtension.class)
class AddressProbesTest {

	private static final String KEY = "secretkey123";

	private static final List<String> ZONES = List.of("b.barracudacentral.org", "bl.mailspike.net", "psbl.surriel.com",
			"bl.spamcop.net", KEY + ".zen.dq.spamhaus.net");

	private static final String DOMAINS = KEY + ".dbl.dq.spamhaus.net";

	private static final String ADDRESS = "127.0.1.11";

	private static final String REVERSED = "11.1.0.127";

	private static final String HELO = "mx.out.test";

	@Autowired
	AddressChecks checks;

	@Autowired
	NameServers servers;

	@Autowired
	SendingSources sources;

	@Autowired
	AddressMeters meters;

	@Autowired
	MeterRegistry registry;

	@AfterEach
	void removeSources() {
		Given.run("delete from sending_pool; delete from sending_source");
		this.sources.read();
	}

	@BeforeEach
	void publishAnAddressInOrder() {
		removeSources();
		Given.run("delete from address_check; delete from block_list");
		DNS.publish("PTR", REVERSED + ".in-addr.arpa", HELO);
		DNS.publish("A", HELO, ADDRESS);
		DNS.publish("TXT", HELO, "v=spf1 a -all");
		DNS.publish("TXT", "spf.out.test", "v=spf1 ip4:127.0.1.0/24 -all");
		for (String zone : ZONES) {
			DNS.publish("A", "2.0.0.127." + zone, "127.0.0.2");
			DNS.remove("A", "1.0.0.127." + zone);
			DNS.publish("A", REVERSED + "." + zone);
			DNS.remove("A", REVERSED + "." + zone);
		}
		DNS.publish("A", "dbltest.com." + DOMAINS, "127.0.1.2");
	}

	@Test
	void anAddressInOrderPassesEachCheckAndIsCheckedAgainAfterAnHourOrOnRequest() {
		AddressProbes probes = probes("", "");
		assertThat(probes.run()).as("the address of the name in EHLO").isOne();
		assertThat(all()).allSatisfy((check) -> assertThat(check.result()).as(check.toString()).isEqualTo(Result.OK))
			.extracting(AddressCheck::kind)
			.containsOnly(Kind.PTR, Kind.FORWARD, Kind.HELO, Kind.GENERIC, Kind.SPF, Kind.HELO_SPF, Kind.LIST);
		assertThat(probes.run()).isZero();
		assertThat(Await.await(this.checks.request("192.0.2.99"))).isFalse();
		assertThat(Await.await(this.checks.request(ADDRESS))).isTrue();
		assertThat(probes.run()).isOne();
		Given.run(
				"update address_check set checked_at = now() - interval '61 minutes', since = since - interval '1 day'");
		assertThat(probes.run()).isOne();
		assertThat(all()).allMatch((check) -> check.since().isBefore(check.checkedAt()));
		this.meters.read();
		assertThat(this.registry.get("mailroom.address.check").tags("source", ADDRESS, "check", "list").gauge().value())
			.isZero();
		Given.run("update address_check set requested = true");
		assertThat(probes("127.0.1.12", "").run()).isOne();
		assertThat(all()).extracting(AddressCheck::subject).containsOnly("127.0.1.12");
	}

	@Test
	void addressesOfOperatorsAreCheckedAsReceiversSeeThem() {
		source("out", "127.0.1.15", null);
		source("nat", "10.0.0.7", "127.0.1.16");
		source("hidden", "10.0.0.8", null);
		assertThat(probes("127.0.1.12", "").run()).isEqualTo(3);
		assertThat(all()).extracting(AddressCheck::subject).containsOnly("127.0.1.12", "127.0.1.15", "127.0.1.16");
	}

	@Test
	void aListedAddressIsPausedWhileTwoOthersOfEachOfItsPoolsAreClean() {
		for (String name : List.of("11", "12", "13", "14")) {
			source("out-" + name, "127.0.1." + name, null);
		}
		Given.run("""
				insert into sending_pool (name, when_empty, changed_by, changed_at)
				values ('three', 'wait', gen_random_uuid(), now()), ('two', 'wait', gen_random_uuid(), now());
				insert into sending_pool_member (pool, source, weight)
				select 'three', name, 1 from sending_source where name <> 'out-14';
				insert into source_seen (worker_id, source, v4, v6, seen_at)
				select gen_random_uuid(), name, true, false, now() from sending_source;
				""");
		DNS.publish("A", REVERSED + ".bl.spamcop.net", "127.0.0.2");
		DNS.publish("A", REVERSED + ".b.barracudacentral.org", "127.255.255.254");
		DNS.publish("A", "14.1.0.127.psbl.surriel.com", "127.0.0.2");
		probes("", "").run();
		assertThat(paused()).as("not configured").isEmpty();
		AddressProbes probes = pausing();
		probes.run();
		assertThat(paused()).containsExactly("out-11 SpamCop");
		assertThat(this.sources.read().sources().get("out-11")).matches((source) -> !source.isUsable(true));
		DNS.fail(REVERSED + ".bl.spamcop.net");
		check(probes);
		assertThat(paused()).as("the list does not answer").containsExactly("out-11 SpamCop");
		Given.run("insert into sending_pool_member (pool, source, weight) values ('two', 'out-11', 1), "
				+ "('two', 'out-12', 1)");
		probes.run();
		assertThat(paused()).as("one other address of a pool is clean").isEmpty();
		Given.run("insert into sending_pool_member (pool, source, weight) values ('two', 'out-14', 1)");
		DNS.publish("A", REVERSED + ".bl.spamcop.net", "127.0.0.2");
		check(probes);
		assertThat(paused()).containsExactly("out-11 SpamCop");
		Given.run("update sending_source set state = 'draining' where name = 'out-13'");
		probes.run();
		assertThat(paused()).isEmpty();
		Given.run("update sending_source set state = 'active'");
		probes.run();
		assertThat(paused()).containsExactly("out-11 SpamCop");
		Given.run("update source_seen set seen_at = now() - interval '2 minutes' where source = 'out-12'");
		probes.run();
		assertThat(paused()).isEmpty();
		Given.run("update source_seen set seen_at = now()");
		probes.run();
		this.sources.read();
		probes("", "").run();
		assertThat(paused()).as("no longer configured").isEmpty();
		probes.run();
		DNS.remove("A", REVERSED + ".bl.spamcop.net");
		DNS.remove("A", "14.1.0.127.psbl.surriel.com");
		check(probes);
		assertThat(paused()).as("no longer listed").isEmpty();
	}

	@Test
	void wrongNamesAndRecordsAreDifferentFindingsWithAFixEach() {
		DNS.remove("PTR", "12.1.0.127.in-addr.arpa");
		DNS.publish("PTR", "13.1.0.127.in-addr.arpa", "elsewhere.out.test");
		DNS.publish("A", "elsewhere.out.test", "127.0.1.99");
		DNS.publish("PTR", "14.1.0.127.in-addr.arpa", "host-127-0-1-14.out.test");
		DNS.publish("A", "host-127-0-1-14.out.test", "127.0.1.14");
		DNS.publish("TXT", "spf.out.test", "v=spf1 ip4:127.0.1.12 -all");
		DNS.fail("15.1.0.127.in-addr.arpa");
		probes("127.0.1.12,127.0.1.13,127.0.1.14,127.0.1.15", "").run();
		assertThat(result("127.0.1.12", Kind.PTR)).isEqualTo(Result.FAILED);
		assertThat(result("127.0.1.12", Kind.SPF)).isEqualTo(Result.OK);
		assertThat(result("127.0.1.13", Kind.PTR)).isEqualTo(Result.OK);
		assertThat(result("127.0.1.13", Kind.FORWARD)).isEqualTo(Result.FAILED);
		assertThat(result("127.0.1.13", Kind.SPF)).isEqualTo(Result.FAILED);
		assertThat(result("127.0.1.14", Kind.FORWARD)).isEqualTo(Result.OK);
		assertThat(result("127.0.1.14", Kind.HELO)).isEqualTo(Result.WARNING);
		assertThat(result("127.0.1.14", Kind.GENERIC)).isEqualTo(Result.WARNING);
		assertThat(result("127.0.1.15", Kind.PTR)).isEqualTo(Result.UNKNOWN);
		assertThat(result("127.0.1.15", Kind.FORWARD)).isEqualTo(Result.UNKNOWN);
		Map<Kind, String> fixes = all().stream()
			.filter((check) -> check.result() == Result.WARNING || check.result() == Result.FAILED)
			.collect(Collectors.toMap(AddressCheck::kind, AddressCheck::fix, (one, _) -> one));
		assertThat(fixes).containsOnlyKeys(Kind.PTR, Kind.FORWARD, Kind.HELO, Kind.GENERIC, Kind.SPF, Kind.HELO_SPF);
		assertThat(fixes.values()).doesNotContain("").doesNotHaveDuplicates();
	}

	@Test
	void onlyTheCodesOfAListMeanThatAnAddressIsListed() {
		DNS.publish("A", REVERSED + ".bl.spamcop.net", "127.0.0.2");
		DNS.publish("A", REVERSED + ".psbl.surriel.com", "127.0.0.2");
		DNS.publish("A", REVERSED + ".b.barracudacentral.org", "127.255.255.254");
		DNS.fail(REVERSED + ".bl.mailspike.net");
		probes("", "").run();
		assertThat(lists()).containsExactlyInAnyOrderEntriesOf(Map.of("SpamCop", Result.FAILED, "PSBL", Result.WARNING,
				"Barracuda", Result.UNKNOWN, "Mailspike", Result.UNKNOWN));
		this.meters.read();
		assertThat(this.registry.get("mailroom.address.check").tags("source", ADDRESS, "check", "list").gauge().value())
			.isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "192.0.2.80", "127.0.0.1" })
	void answersOfASoldZoneAndTheAddressThatIsNeverListedMeanNothing(String answer) {
		DNS.publish("A", REVERSED + ".bl.spamcop.net", answer);
		probes("", "").run();
		assertThat(lists()).containsEntry("SpamCop", Result.UNKNOWN);
	}

	@Test
	void aListThatListsAllOrNothingOrDoesNotAnswerIsNotAskedUntilItPassesItsTest() {
		DNS.publish("A", "1.0.0.127.bl.spamcop.net", "127.0.0.2");
		DNS.publish("A", REVERSED + ".bl.spamcop.net", "127.0.0.2");
		DNS.remove("A", "2.0.0.127.psbl.surriel.com");
		DNS.fail("2.0.0.127.bl.mailspike.net");
		AddressProbes probes = probes("", "");
		probes.run();
		assertThat(lists()).containsExactlyInAnyOrderEntriesOf(Map.of("SpamCop", Result.UNKNOWN, "PSBL", Result.UNKNOWN,
				"Barracuda", Result.OK, "Mailspike", Result.UNKNOWN));
		assertThat(Await.await(this.checks.lists())).extracting(BlockList::state)
			.containsExactly(BlockList.State.ON, BlockList.State.UNKNOWN, BlockList.State.OFF, BlockList.State.OFF);
		DNS.remove("A", "1.0.0.127.bl.spamcop.net");
		Await.await(this.checks.request(ADDRESS));
		probes.run();
		assertThat(lists()).containsEntry("SpamCop", Result.FAILED);
	}

	@Test
	void listsOfRbldnsdAreUnderstood(@TempDir Path directory) throws Exception {
		assumeTrue(Programs.areInstalled("/usr/sbin/rbldnsd"), "rbldnsd is not installed, or the user is not root");
		Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
		Map<String, String> lists = Map.of("bl.spamcop.net", ":127.0.0.2:Listed\n127.0.0.2\n" + ADDRESS + "\n",
				"psbl.surriel.com", ":127.0.0.2:Listed\n127.0.0.2\n", "b.barracudacentral.org",
				":127.0.0.2:Listed\n127.0.0.2\n:127.255.255.254:Refused\n" + ADDRESS + "\n", "bl.mailspike.net",
				":127.0.0.2:All\n127.0.0.0/8\n", KEY + ".zen.dq.spamhaus.net",
				":127.0.0.2:Listed\n127.0.0.2\n:127.0.0.10:Policy\n127.0.1.0/24\n", DOMAINS,
				":127.0.1.2:Listed\ndbltest.com\n.out.test\n");
		List<String> command = new ArrayList<>(
				List.of("/usr/sbin/rbldnsd", "-n", "-u", "nobody", "-b", "127.53.4.53/5300"));
		for (Map.Entry<String, String> list : lists.entrySet()) {
			Path file = Files.writeString(directory.resolve(list.getKey()), list.getValue());
			command.add(list.getKey() + (list.getKey().equals(DOMAINS) ? ":dnset:" : ":ip4set:") + file);
		}
		try (Programs programs = new Programs(directory)) {
			programs.start(() -> Files.readString(directory.resolve("rbldnsd.out")).contains(" started "),
					command.toArray(String[]::new));
			new AddressProbes(this.checks, settings(ADDRESS, KEY), TestDns.lookups("127.53.4.53:5300"), this.sources,
					Duration.ZERO)
				.run();
		}
		assertThat(lists()).containsExactlyInAnyOrderEntriesOf(Map.of("SpamCop", Result.FAILED, "PSBL", Result.OK,
				"Barracuda", Result.UNKNOWN, "Mailspike", Result.UNKNOWN, "Spamhaus ZEN", Result.WARNING));
		assertThat(all()).filteredOn((check) -> check.kind() == Kind.DOMAIN)
			.extracting((check) -> check.subject() + " " + check.result())
			.containsExactlyInAnyOrder("out.test FAILED", "links.test OK");
		assertThat(result(ADDRESS, Kind.PTR)).as("the server refuses other zones").isEqualTo(Result.UNKNOWN);
	}

	@Test
	void theKeyOfSpamhausIsInNoRowLogMetricOrTextAndItsPolicyListIsNoAccusation(CapturedOutput output) {
		Scope tenant = Given.sender("free");
		String domain = tenant.domain() + ".test";
		DNS.publish("A", REVERSED + "." + KEY + ".zen.dq.spamhaus.net", "127.0.0.11");
		DNS.publish("A", domain + "." + DOMAINS, "127.0.1.5");
		DNS.publish("A", "out.test." + DOMAINS, "127.0.1.255");
		DNS.fail("links.test." + DOMAINS);
		AddressProbes probes = probes("", KEY);
		probes.run();
		assertThat(lists()).containsEntry("Spamhaus ZEN", Result.WARNING);
		assertThat(all()).filteredOn((check) -> check.kind() == Kind.DOMAIN)
			.extracting((check) -> check.subject() + " " + check.result())
			.containsExactlyInAnyOrder(domain + " FAILED", "out.test UNKNOWN", "links.test UNKNOWN");
		this.meters.read();
		assertThat(this.registry.get("mailroom.address.check")
			.tags("source", "domains", "check", "domain")
			.gauge()
			.value()).isEqualTo(2);
		assertThat(Given.rows("select c::text from address_check c union all select l::text from block_list l"))
			.isNotEmpty()
			.noneMatch((row) -> row.contains(KEY));
		assertThat(this.registry.getMeters()).extracting(Meter::getId).noneMatch((id) -> id.toString().contains(KEY));
		assertThat(output.getAll()).doesNotContain(KEY);
		assertThat(new BlockLists(new PacedResolver(this.servers, Duration.ZERO), KEY).asked().toString())
			.doesNotContain(KEY);
		assertThat(settings("", KEY).toString()).doesNotContain(KEY);
		assertThatThrownBy(() -> settings("", "key.of.mine")).isInstanceOf(WrongSetting.class)
			.hasMessageNotContaining("key.of.mine");
	}

	@Test
	void addressesOfIpv6AreAskedByNibblesAndGenericNamesAreRecognized() {
		assertThat(ReverseDns.name(InetAddress.ofLiteral("2001:db8::5")))
			.isEqualTo("5." + "0.".repeat(23) + "8.b.d.0.1.0.0.2.ip6.arpa");
		InetAddress address = InetAddress.ofLiteral("192.0.2.14");
		assertThat(List.of("192-0-2-14.isp.test", "ip14.2.0.192.isp.test", "c000020e.isp.test",
				"pool-192.000.002.014.x.test"))
			.allMatch((name) -> ReverseDns.isGeneric(name, address));
		assertThat(List.of("mx14.out.test", "mail2.192.test", "a1192-0-2-14.test"))
			.noneMatch((name) -> ReverseDns.isGeneric(name, address));
	}

	@Test
	void withoutANameOrAddressNothingIsAskedAndAddressesBehindNatAreRefused() {
		assertThat(new AddressSettings(List.of(), new Mx("localhost"), "s", "p", "http://localhost", "", false)
			.isConfigured()).isFalse();
		assertThat(settings("", "").isConfigured()).isTrue();
		for (String wrong : List.of("10.0.0.1", "192.168.1.1", "fd00::1", "fe80::1", "mx.out.test")) {
			assertThatThrownBy(() -> settings(wrong, "")).as(wrong)
				.isInstanceOf(WrongSetting.class)
				.hasMessageContaining("MAILROOM_SENDING_ADDRESSES");
		}
	}

	private AddressProbes probes(String addresses, String key) {
		return new AddressProbes(this.checks, settings(addresses, key), this.servers, this.sources, Duration.ZERO);
	}

	private AddressProbes pausing() {
		AddressSettings settings = new AddressSettings(List.of(ADDRESS), new Mx(HELO), "spf.out.test", "out.test",
				"https://links.test/x", "", true);
		return new AddressProbes(this.checks, settings, this.servers, this.sources, Duration.ZERO);
	}

	/** Checks the addresses before the next hour. */
	private static void check(AddressProbes probes) {
		Given.run("update address_check set requested = true");
		probes.run();
	}

	private void source(String name, String v4, @Nullable String publicV4) {
		Given.run(
				"insert into sending_source (name, v4, public_v4, helo, state, changed_by, changed_at) "
						+ "values ('%s', '%s', %s, '%s', 'active', gen_random_uuid(), now())",
				name, v4, (publicV4 != null) ? "'" + publicV4 + "'" : "null", HELO);
		this.sources.read();
	}

	private static List<String> paused() {
		return Given.rows("select name || ' ' || listed_on from sending_source where listed_on is not null");
	}

	private static AddressSettings settings(String addresses, String key) {
		return new AddressSettings(List.of(addresses.split(",", -1)), new Mx(HELO), "spf.out.test", "out.test",
				"https://links.test/x", key, false);
	}

	private List<AddressCheck> all() {
		return this.checks.read();
	}

	private Result result(String address, Kind kind) {
		return all().stream()
			.filter((check) -> check.subject().equals(address) && check.kind() == kind)
			.map(AddressCheck::result)
			.findFirst()
			.orElseThrow();
	}

	private Map<String, Result> lists() {
		return all().stream()
			.filter((check) -> check.kind() == Kind.LIST)
			.collect(Collectors.toMap(AddressCheck::list, AddressCheck::result));
	}

}
