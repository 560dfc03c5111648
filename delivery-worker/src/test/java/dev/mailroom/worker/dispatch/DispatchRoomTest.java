package dev.mailroom.worker.dispatch;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.TestDatabase;
import dev.mailroom.worker.DeliveryWorker;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.test.context.EmbeddedKafka;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(classes = DeliveryWorker.class, webEnvironment = SpringBootTest.WebEnvironment.NONE,
		properties = { "spring.config.name=" + DeliveryWorker.CONFIG, "management.server.port=-1",
				"mailroom.relay.last=true", "mailroom.dispatch.window=1", "mailroom.dispatch.poll=100s" })
@ContextConfiguration(initializers = TestDatabase.class)
@EmbeddedKafka(bootstrapServersProperty = "spring.kafka.bootstrap-servers")
@DirtiesContext
class DispatchRoomTest {

	static final ScriptedSmtpServer SMTP = new ScriptedSmtpServer();

	@DynamicPropertySource
	static void relay(DynamicPropertyRegistry registry) {
		registry.add("mailroom.relay.host", () -> "localhost");
		registry.add("mailroom.relay.port", SMTP::port);
	}

	@Test
	void aFullWindowIsRefilledBeforeTheNextPoll() {
		Scope scope = Given.sender("unlimited");
		List<UUID> mails = IntStream.range(0, 20).mapToObj((i) -> Given.mail(scope, i + "@room.test")).toList();
		Given.run("select pg_notify('mailroom_due', '')");
		Await.until("all mails at the relay", Duration.ofSeconds(90),
				() -> SMTP.mails().stream().filter((mail) -> mail.rcptTo().endsWith("@room.test")).count() == mails
					.size());
	}

	@Test
	void anAnnouncedDeliveryIsSentUnlessItIsNotReadyAnyMore() {
		Scope scope = Given.sender("unlimited");
		UUID later = Given.unqueued(scope, "later@announced.test");
		Given.queue(later, Duration.ofHours(1));
		UUID now = Given.mail(scope, "now@announced.test");
		List.of(later, now).forEach((mail) -> Given.run("select pg_notify('mailroom_due', '%s')", announcement(mail)));
		Await.until("the mail that is ready", () -> SMTP.mails().stream().anyMatch(to("now@announced.test")));
		assertThat(SMTP.mails()).noneMatch(to("later@announced.test"));
	}

	private static Predicate<ScriptedSmtpServer.Mail> to(String recipient) {
		return (mail) -> mail.rcptTo().equals(recipient);
	}

	private static String announcement(UUID mail) {
		return Given
			.rows("select id || ' ' || account_id || ' announced.test - false' from queue where email_id = '%s'", mail)
			.getFirst();
	}

}
