package dev.mailroom.worker.compose;

import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.domain.SigningKeys;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.worker.Surroundings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Threads and time of composing, and what is kept for the mails of a campaign. */
@Surroundings.WorkerAlone
class ComposerTest {

	@Autowired
	Composer composer;

	@Autowired
	RecipientRendering rendering;

	@Autowired
	SigningKeys keys;

	private final Scope scope = Given.sender("free");

	@Test
	void aMailThatTakesTooLongIsTriedAgainAndThenFailsWithAReason() {
		Composer brief = new Composer(this.keys, this.rendering, new SimpleMeterRegistry(), Duration.ofMillis(50));
		CountDownLatch release = new CountDownLatch(1);
		List<String> endless = new AbstractList<>() {

			@Override
			public String get(int index) {
				try {
					return release.await(1, TimeUnit.MINUTES) + "@b.test";
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}

			@Override
			public int size() {
				return 1;
			}

		};
		try {
			HandOver mail = handOver(endless, "a line\n".repeat(20_000), null);
			assertThatThrownBy(() -> brief.compose(mail)).as("the process may have been stopped")
				.isInstanceOf(IllegalStateException.class);
			assertThatThrownBy(() -> brief.compose(mail)).isInstanceOf(Composer.Unrenderable.class)
				.hasMessageContaining("could not be composed within");
		}
		finally {
			release.countDown();
			brief.destroy();
		}
	}

	@Test
	void aShortMailIsComposedByItsCallerAndALongOneByAThreadForIt() {
		assertThat(composing("Hi")).isEqualTo(Thread.currentThread().getName());
		assertThat(composing("a line\n".repeat(20_000))).startsWith("compose-");
	}

	@Test
	void theContentOfACampaignIsParsedOnceForAllOfItsMails() {
		UUID campaign = UUID.randomUUID();
		RecipientRendering.CampaignBody first = this.rendering
			.campaignBody(handOver("Hi", new HandOver.Merge(campaign, Map.of("name", "Ann"))));
		assertThat(this.rendering.campaignBody(handOver("Hi", new HandOver.Merge(campaign, Map.of("name", "Bob")))))
			.isSameAs(first);
		assertThat(this.rendering.campaignBody(handOver("Hi", new HandOver.Merge(UUID.randomUUID(), Map.of()))))
			.isNotSameAs(first);
	}

	/** The name of the thread that has composed a mail. */
	private String composing(String text) {
		AtomicReference<String> thread = new AtomicReference<>();
		List<String> recording = new AbstractList<>() {

			@Override
			public String get(int index) {
				thread.set(Thread.currentThread().getName());
				return "a@b.test";
			}

			@Override
			public int size() {
				return 1;
			}

		};
		this.composer.compose(handOver(recording, text, null));
		return thread.get();
	}

	private HandOver handOver(String text, HandOver.@Nullable Merge merge) {
		return handOver(List.of(), text, merge);
	}

	private HandOver handOver(List<String> replyTo, String text, HandOver.@Nullable Merge merge) {
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), replyTo, "s",
				"<a href=\"https://shop.test/\">Shop</a>", text, Map.of(), List.of(), Instant.EPOCH, "transactional");
		UUID id = UUID.randomUUID();
		return new HandOver(new Lease(id, 1), this.scope.account(), id, this.scope.domain(), "c@d.test", 0, 0, mail,
				null, merge != null, merge != null, null, merge);
	}

}
