package dev.mailroom.domain;

import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

import dev.mailroom.dmarc.DmarcDiscovery;
import dev.mailroom.dmarc.DmarcRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

import org.springframework.beans.factory.annotation.Autowired;

import static dev.mailroom.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Policies and organizational domains of the zones in a file. */
class DmarcDiscoveryTest extends AskingTestDns {

	private static final AtomicInteger ZONES = new AtomicInteger();

	@Autowired
	DmarcDiscovery discovery;

	@ParameterizedTest
	@CsvFileSource(resources = "/dmarc/zones.txt", delimiter = '|', quoteCharacter = '\0')
	void thePolicyOfADomainIsFoundAsRfc9989Says(String what, String records, String domain, String at,
			String organization, String action) {
		String zone = "zone" + ZONES.incrementAndGet();
		for (String record : records.replace("$", zone).split(" // ", -1)) {
			publish(record);
		}
		DmarcDiscovery.Policy policy = await(this.discovery.discover(domain.replace("$", zone)));
		assertThat((policy.at() != null) ? policy.at() : "-").as(what).isEqualTo(at.replace("$", zone));
		assertThat(policy.organization()).as(what).isEqualTo(organization.replace("$", zone));
		assertThat(policy.action().map(DmarcRecord.Action::contractName).orElse("-")).as(what).isEqualTo(action);
		assertThat(await(this.discovery.organization(domain.replace("$", zone)))).as(what)
			.isEqualTo(organization.replace("$", zone));
	}

	private static void publish(String record) {
		String[] words = record.split(" ", 3);
		switch (words[0]) {
			case "A", "CNAME" -> DNS.publish(words[0], words[1], words[2]);
			case "TXT2" -> DNS.publish("TXT", words[1], words[2].split(" \\+\\+ ", -1));
			default -> DNS.publish("TXT", words[0], record.substring(words[0].length() + 1));
		}
	}

	@Test
	void nameServersThatDoNotAnswerLeaveThePolicyOpen() {
		DNS.publish("TXT", "_dmarc.a.broken1", "v=DMARC1; p=none; np=reject");
		DNS.fail("_dmarc.broken1");
		assertThatExceptionOfType(UncheckedIOException.class)
			.isThrownBy(() -> await(this.discovery.discover("m.a.broken1")));
		DNS.publish("TXT", "_dmarc.a.broken2", "v=DMARC1; p=none; np=reject");
		DNS.fail("m.a.broken2");
		assertThatExceptionOfType(UncheckedIOException.class)
			.isThrownBy(() -> await(this.discovery.discover("m.a.broken2")));
	}

	@Test
	void addressesForReportsAreReadWithoutTheirLimits() {
		assertThat(DmarcRecord.parse("v=DMARC1; p=none; rua=mailto:a@x.test!10m, mailto:b@x.test ,")
			.orElseThrow()
			.reportUris()).containsExactly("mailto:a@x.test", "mailto:b@x.test");
	}

}
