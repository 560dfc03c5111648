package dev.mailroom.worker.smtp.client;

import java.net.InetAddress;

import dev.mailroom.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class MailServersTest {

	private final TestMailServers servers = new TestMailServers();

	private final MailServers lookups = this.servers.lookups();

	@AfterEach
	void close() throws Exception {
		this.servers.close();
	}

	@Test
	void serversAreOrderedByPreference() {
		assertThat(Await.await(this.lookups.of("b.test"))).containsExactly("one.mx.test", "two.mx.test");
	}

	@Test
	void serversOfEqualPreferenceAreShuffled() {
		this.servers.dns().publish("MX", "equal.test", "one.mx.test", "two.mx.test");
		assertThat(Await.await(Flux.range(0, 60)
			.concatMap((_) -> this.lookups.of("equal.test"))
			.map((hosts) -> hosts.getFirst())
			.distinct()
			.collectList())).containsExactlyInAnyOrder("one.mx.test", "two.mx.test");
	}

	@Test
	void serversOfTheSameOrALowerPreferenceThanThePlatformAreLeftOut() {
		this.servers.dns()
			.publish("MX", "backup.test", "30 two.mx.test", "20 US.mx.test", "10 one.mx.test", "20 six.mx.test");
		assertThat(Await.await(this.lookups.of("backup.test"))).containsExactly("one.mx.test");
	}

	@Test
	void noServerIsLeftOutIfThePlatformIsTheFirst() {
		this.servers.dns().publish("MX", "ours.test", "20 two.mx.test", "10 us.mx.test");
		assertThat(Await.await(this.lookups.of("ours.test"))).containsExactly("us.mx.test", "two.mx.test");
	}

	@Test
	void addressesOfOneVersionAreUsedIfTheLookupOfTheOtherFails() {
		this.servers.dns().publish("AAAA", "six.mx.test", "::1");
		this.servers.dns().fail("A", "six.mx.test");
		assertThat(Await.await(this.lookups.addresses("six.mx.test"))).containsExactly(InetAddress.ofLiteral("::1"));
	}

	@Test
	void addressesAreAnErrorIfBothLookupsFail() {
		this.servers.dns().fail("broken.test");
		assertThatThrownBy(() -> Await.await(this.lookups.addresses("broken.test")))
			.hasMessageContaining("name servers");
	}

}
