package dev.mailroom.worker.smtp.client;

import java.time.Clock;
import java.time.Duration;
import java.util.UUID;

import dev.mailroom.Given;
import dev.mailroom.operator.Workers;
import dev.mailroom.site.Site;
import dev.mailroom.site.SiteMemory;
import dev.mailroom.site.Sites;
import dev.mailroom.worker.Surroundings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;

/** Exchange of memories of sites between workers, through the database. */
@Surroundings.WorkerAlone
class SiteExchangeTest {

	@Autowired
	Sites sites;

	@Autowired
	Workers workers;

	@Autowired
	MxSettings settings;

	private final Site site = Site.of("learned-" + UUID.randomUUID() + ".test");

	@Test
	void aWorkerStartsWithWhatAnotherHasLearnedUntilAnOperatorForgetsIt() {
		SitePaces one = paces();
		SiteExchange first = new SiteExchange(one, this.sites, this.workers);
		one.slow(this.site, "", 500, "421 slow down");
		one.pause(this.site, "", null, "421 pause");
		first.run();
		assertThat(one.unsaved()).isEmpty();
		SitePaces two = paces();
		SiteExchange second = new SiteExchange(two, this.sites, this.workers);
		second.start();
		try {
			assertThat(memory(two).pace()).isEqualTo(0.5);
			assertThat(memory(two).baseRate()).isEqualTo(500);
			assertThat(memory(two).pausedFor(two.now())).isPositive().isLessThanOrEqualTo(Duration.ofMinutes(1));
			assertThat(memory(two).reply()).isEqualTo("421 pause");
		}
		finally {
			second.stop();
		}
		Given.run("delete from site_memory where site = '%s'", this.site.key());
		first.run();
		second.run();
		assertThat(one.memory(this.site, "")).isNull();
		assertThat(two.memory(this.site, "")).isNull();
	}

	@Test
	void theLaterOfTwoChangesCountsAndNothingIsWrittenWithoutOne() {
		SitePaces one = paces();
		SitePaces two = paces();
		one.slow(this.site, "", 500, "421 earlier");
		two.slow(this.site, "", 700, "421 later");
		new SiteExchange(two, this.sites, this.workers).run();
		new SiteExchange(one, this.sites, this.workers).run();
		assertThat(memory(one)).isEqualTo(memory(two));
		assertThat(memory(one).reply()).isEqualTo("421 later");
		String version = "select xmin::text from site_memory where site = '%s'";
		String before = Given.rows(version, this.site.key()).getFirst();
		new SiteExchange(one, this.sites, this.workers).run();
		assertThat(Given.rows(version, this.site.key())).containsExactly(before);
	}

	@Test
	void aProfileThatCannotBeReadIsLeftOut() {
		Given
			.run("insert into provider_profile values ('gmail', '{\"name\": \"gmail\", \"sessions\": 4}', '%1$s', now()), "
					+ "('yahoo', '{\"name\": \"yahoo\", \"rules\": [{\"pattern\": \"(\", \"action\": \"slow\"}]}', '%1$s', now())",
					UUID.randomUUID());
		try {
			SitePaces paces = paces();
			new SiteExchange(paces, this.sites, this.workers).run();
			assertThat(paces.profiles().get("gmail").sessions()).isEqualTo(4);
			assertThat(paces.profiles().get("yahoo").sessions()).isEqualTo(10);
		}
		finally {
			Given.run("delete from provider_profile");
		}
	}

	private SiteMemory memory(SitePaces paces) {
		SiteMemory memory = paces.memory(this.site, "");
		assertThat(memory).isNotNull();
		return memory;
	}

	private SitePaces paces() {
		return new SitePaces(this.settings, Clock.systemUTC(), new SimpleMeterRegistry());
	}

}
