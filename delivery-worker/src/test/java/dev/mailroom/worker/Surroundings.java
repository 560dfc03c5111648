package dev.mailroom.worker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.mailroom.TestDatabase;
import dev.mailroom.domain.TestDns;
import dev.mailroom.worker.dispatch.NotifiedWork;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/**
 * A worker with a database and name servers, but without a broker. Its tests share one
 * application context.
 */
public final class Surroundings implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	/** The name server of the worker. */
	public static final TestDns DNS = new TestDns();

	/** The certificate of webhook endpoints, for {@code hook.localhost}. */
	public static final TestCertificate HOOK_CERTIFICATE = TestCertificate.of("hook.localhost");

	/** The address of the platform's operator. */
	public static final String OPERATOR = "operator@ops.test";

	/** The domain of addresses for reports. */
	public static final String REPORT_DOMAIN = "reports.platform.test";

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		TestPropertyValues
			.of("mailroom.dns-servers=" + DNS.address(), "mailroom.inbound.port=0", "mailroom.submission.port=0",
					"mailroom.submission.in-clear=true", "mailroom.operator-email=" + OPERATOR,
					"mailroom.report-domain=" + REPORT_DOMAIN, "mailroom.tracking-host=links.platform.test",
					"mailroom.webhook.loopback=true", "mailroom.webhook.poll=50ms", "mailroom.webhook.timeout=3s",
					"mailroom.webhook.retry-delays=" + "10ms,".repeat(8) + "10ms",
					"mailroom.webhook.ca-file=" + HOOK_CERTIFICATE.pem())
			.applyTo(context);
	}

	/** A test in this environment. */
	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@SpringBootTest(classes = { DeliveryWorker.class, NotifiedWork.class },
			webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
			properties = { "spring.config.name=" + DeliveryWorker.CONFIG, "spring.kafka.bootstrap-servers=localhost:1",
					"management.prometheus.metrics.export.enabled=true" })
	@ContextConfiguration(initializers = { TestDatabase.class, Surroundings.class })
	public @interface WorkerAlone {

	}

}
