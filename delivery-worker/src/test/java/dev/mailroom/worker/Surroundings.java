package dev.mailroom.worker;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.mailroom.TestDatabase;
import dev.mailroom.domain.TestDns;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.ContextConfiguration;

/** A worker without a broker, with a database and name servers: tests of it share one. */
public final class Surroundings implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	/** Whom the worker asks about names. */
	public static final TestDns DNS = new TestDns();

	/** Who runs the platform. */
	public static final String OPERATOR = "operator@ops.test";

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		TestPropertyValues
			.of("mailroom.dns-servers=" + DNS.address(), "mailroom.inbound.port=0", "mailroom.submission.port=0",
					"mailroom.submission.in-clear=true", "mailroom.operator-email=" + OPERATOR)
			.applyTo(context);
	}

	/** A test of that worker. */
	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@SpringBootTest(classes = DeliveryWorker.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
			properties = { "spring.config.name=" + DeliveryWorker.CONFIG, "spring.kafka.bootstrap-servers=localhost:1",
					"management.prometheus.metrics.export.enabled=true" })
	@ContextConfiguration(initializers = { TestDatabase.class, Surroundings.class })
	public @interface WorkerAlone {

	}

}
