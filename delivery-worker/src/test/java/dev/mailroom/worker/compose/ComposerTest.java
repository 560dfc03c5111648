package dev.mailroom.worker.compose;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.Account;
import dev.mailroom.account.Accounts;
import dev.mailroom.account.FeedbackTags;
import dev.mailroom.domain.Domains;
import dev.mailroom.domain.PlatformDomain;
import dev.mailroom.domain.SigningKeys;
import dev.mailroom.mail.outcome.ReturnPath;
import dev.mailroom.mail.queue.HandOver;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.StoredMail;
import dev.mailroom.worker.Surroundings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

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

	@Autowired
	PlatformSignature platform;

	@Autowired
	Accounts accounts;

	@Autowired
	Domains domains;

	@Autowired
	PlatformDomain platformDomain;

	@Autowired
	FeedbackTags tags;

	@Autowired
	ReturnPath returnPath;

	private final Scope scope = Given.sender("free");

	@Test
	void aMailThatTakesTooLongIsTriedAgainAndThenFailsWithAReason() {
		Composer brief = new Composer(this.keys, this.rendering, this.platform, new SimpleMeterRegistry(),
				Duration.ofMillis(50));
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
			assertThatThrownBy(() -> brief.compose(mail, false)).as("the process may have been stopped")
				.isInstanceOf(IllegalStateException.class);
			assertThatThrownBy(() -> brief.compose(mail, false)).isInstanceOf(Composer.Unrenderable.class)
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

	@Test
	void withoutThePlatformsKeyMailLeavesWithTheTenantsSignaturesAndNoFields() {
		Scope tenant = Scope.of(this.scope.account());
		UUID domain = Await.await(this.domains.create(tenant, "k" + tenant.account() + ".test")).id();
		Await
			.await(this.accounts.ensurePlatform().then(Mono.defer(() -> this.platformDomain.ensure(Account.PLATFORM))));
		HandOver mail = handOver(domain, List.of(), "Hi", null);
		assertThat(composed(mail)).contains("d=mailroom.localhost", "\r\nFeedback-ID: ", "\r\nCFBL-Address: ");
		String off = new String(this.composer.compose(mail, false), StandardCharsets.UTF_8);
		assertThat(off).contains("DKIM-Signature: ").doesNotContain("mailroom.localhost", "Feedback-ID", "CFBL-");
		assertThat(without(off, "DKIM-Signature"))
			.isEqualTo(without(composed(mail), "DKIM-Signature|Feedback-ID|CFBL-Address|CFBL-Feedback-ID"));
		Given.run("update dkim_key set sealed_private_key = '\\x00' || sealed_private_key "
				+ "where domain_id = (select id from domain where name = 'mailroom.localhost')");
		try {
			MeterRegistry registry = new SimpleMeterRegistry();
			assertThat(composed(mail, registry)).contains("DKIM-Signature: ").doesNotContain("mailroom.localhost");
			assertThat(registry.get("mailroom.platform.key.unreadable").gauge().value()).isOne();
		}
		finally {
			Given.run("update dkim_key set sealed_private_key = substring(sealed_private_key from 2) "
					+ "where domain_id = (select id from domain where name = 'mailroom.localhost')");
		}
		MeterRegistry registry = new SimpleMeterRegistry();
		assertThat(composed(mail, registry)).contains("d=mailroom.localhost");
		assertThat(registry.get("mailroom.platform.key.unreadable").gauge().value()).isZero();
	}

	@Test
	void aPlatformThatIsNotConfiguredSignsNothingAndADomainHasASenderId() {
		assertThat(signature("mailroom.localhost", "all").covers("mx")).isFalse();
		assertThat(signature("mail.example.com", "direct").covers("mx")).isTrue();
		assertThat(signature("mail.example.com", "direct").covers("relay")).isFalse();
		assertThat(signature("mail.example.com", "all").covers("relay")).isTrue();
		assertThat(signature("mail.example.com", "all").covers("simulator")).isFalse();
		assertThat(signature("mail.example.com", "none").covers("mx")).isFalse();
		assertThat(signature("mail.example.com", "all").senderId()).isEqualTo("mail-example-co");
		assertThat(signature("x.io", "all").senderId()).isEqualTo("x-io-mail");
		assertThatThrownBy(() -> signature("x.io", "relay")).hasMessageContaining("MAILROOM_PLATFORM_SIGNATURE");
		assertThatThrownBy(() -> new PlatformSignature.SignatureSettings("x.io", "all", "four"))
			.hasMessageContaining("MAILROOM_FEEDBACK_SENDER_ID");
	}

	private static PlatformSignature.SignatureSettings signature(String domain, String mails) {
		return new PlatformSignature.SignatureSettings(domain, mails, "");
	}

	/** A message without some fields of its header. */
	private static String without(String message, String fields) {
		return message.replaceAll("(?m)^(" + fields + "): .*\r\n([ \t].*\r\n)*", "");
	}

	private String composed(HandOver mail) {
		return composed(mail, new SimpleMeterRegistry());
	}

	/** The message of a mail, by a composer that has read no key yet. */
	private String composed(HandOver mail, MeterRegistry registry) {
		PlatformSignature fresh = new PlatformSignature(this.keys, this.tags, this.returnPath,
				signature("mailroom.localhost", "all"), registry);
		Composer composer = new Composer(this.keys, this.rendering, fresh, registry);
		try {
			return new String(composer.compose(mail, true), StandardCharsets.UTF_8);
		}
		finally {
			composer.destroy();
		}
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
		this.composer.compose(handOver(recording, text, null), false);
		return thread.get();
	}

	private HandOver handOver(String text, HandOver.@Nullable Merge merge) {
		return handOver(List.of(), text, merge);
	}

	private HandOver handOver(List<String> replyTo, String text, HandOver.@Nullable Merge merge) {
		return handOver(this.scope.domain(), replyTo, text, merge);
	}

	private HandOver handOver(UUID domain, List<String> replyTo, String text, HandOver.@Nullable Merge merge) {
		StoredMail mail = new StoredMail("a@b.test", List.of("c@d.test"), List.of(), replyTo, "s",
				"<a href=\"https://shop.test/\">Shop</a>", text, Map.of(), List.of(), Instant.EPOCH, "transactional");
		UUID id = UUID.randomUUID();
		return new HandOver(new Lease(id, 1), this.scope.account(), id, domain, "c@d.test", 0, 0, mail, null,
				merge != null, merge != null, null, null, merge);
	}

}
