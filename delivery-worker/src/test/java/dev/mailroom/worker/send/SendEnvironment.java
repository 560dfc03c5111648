package dev.mailroom.worker.send;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;

import dev.mailroom.Await;
import dev.mailroom.Given;
import dev.mailroom.ScriptedSmtpServer;
import dev.mailroom.TestDatabase;
import dev.mailroom.domain.TestDns;
import dev.mailroom.worker.DeliveryWorker;
import dev.mailroom.worker.TestCertificate;
import dev.mailroom.worker.dispatch.NotifiedWork;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.test.context.EmbeddedKafka;
import org.springframework.test.context.ContextConfiguration;

/**
 * A worker with a database, a broker, a relay and name servers, and with short retry
 * delays. Its tests share one application context.
 */
public final class SendEnvironment implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	public static final ScriptedSmtpServer SMTP = new ScriptedSmtpServer();

	public static final TestDns DNS = new TestDns();

	/** The platform's domain, which signs mail that is sent directly. */
	static final String PLATFORM = "platform.test";

	/** The certificate of a server whose authority the worker trusts. */
	public static final TestCertificate CERTIFICATE = TestCertificate.of("mx.trusted.test");

	private static final Duration DEADLINE = Duration.ofMinutes(2);

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		TestPropertyValues
			.of("mailroom.relay.host=localhost", "mailroom.relay.port=" + SMTP.port(),
					"mailroom.dns-servers=" + DNS.address(), "mailroom.platform-domain=" + PLATFORM,
					"mailroom.inbound.port=0", "mailroom.mx.port=" + SMTP.port(), "mailroom.mx.private-addresses=true",
					"mailroom.mx.ca-file=" + CERTIFICATE.pem(), "mailroom.mx.reply-timeout=3s",
					"mailroom.mx.dot-timeout=3s", "mailroom.relay.last=true", "mailroom.relay.reply-timeout=3s",
					"mailroom.relay.dot-timeout=3s", "mailroom.send.begin-within=3s", "mailroom.retry-delays=1s,30s",
					// The number of attempts of a transactional mail in three days.
					"mailroom.campaign-retry-delays=1ms,2ms,8ms,25ms,50ms,100ms,200ms,400ms,400ms,400ms,400ms,400ms,"
							+ "400ms,400ms,400ms",
					"mailroom.lease=5s", "mailroom.data-lease=9s")
			.applyTo(context);
	}

	/** The mails that the relay received for recipients with this suffix. */
	public static List<ScriptedSmtpServer.Mail> received(String suffix) {
		return SMTP.mails().stream().filter((mail) -> mail.rcptTo().endsWith(suffix)).toList();
	}

	static void awaitLastEvent(String event, UUID mail) {
		await("last event " + event,
				() -> Given.rows("select last_event from email where id = '%s'", mail).contains(event));
	}

	static void awaitSettled(UUID mail) {
		await("all recipients settled",
				() -> Given.rows("select id from delivery_state where email_id = '%s' and phase <> 'done'", mail)
					.isEmpty());
	}

	public static void await(String description, Callable<Boolean> condition) {
		Await.until(description, DEADLINE, condition);
	}

	static String status(UUID mail) {
		return Given.rows("select status from email where id = '%s'", mail).getFirst();
	}

	/** The number and outcome of each attempt. */
	static List<String> attempts(UUID mail) {
		return Given.rows("select attempt || ' ' || outcome from delivery_attempt where email_id = '%s' order by id",
				mail);
	}

	/** Pauses an account while a test prepares its mails. */
	static void pause(UUID account) {
		Given.run("update account set paused_reason = 'test' where id = '%s'", account);
	}

	static void resume(UUID account) {
		Given.run("update account set paused_reason = null where id = '%s'", account);
	}

	/** A test in this environment. */
	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@SpringBootTest(classes = { DeliveryWorker.class, NotifiedWork.class },
			webEnvironment = SpringBootTest.WebEnvironment.NONE,
			properties = { "spring.config.name=" + DeliveryWorker.CONFIG, "management.server.port=-1" })
	@ContextConfiguration(initializers = { TestDatabase.class, SendEnvironment.class })
	@EmbeddedKafka(bootstrapServersProperty = "spring.kafka.bootstrap-servers")
	public @interface SendingWorker {

	}

}
