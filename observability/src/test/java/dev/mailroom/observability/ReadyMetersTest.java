package dev.mailroom.observability;

import java.util.concurrent.atomic.AtomicBoolean;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class ReadyMetersTest {

	@Test
	void theGaugeHasTheReadinessThatWasReportedLast() {
		AtomicBoolean fit = new AtomicBoolean(true);
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(HealthContributorRegistryAutoConfiguration.class,
					HealthEndpointAutoConfiguration.class))
			.withBean("serving", HealthIndicator.class, () -> () -> (fit.get() ? Health.up() : Health.down()).build())
			.withBean("broker", HealthIndicator.class, () -> () -> Health.down().build())
			.withBean(ReadyMeters.class)
			.withPropertyValues("management.endpoint.health.group.readiness.include=serving")
			.run((context) -> {
				MeterRegistry registry = new SimpleMeterRegistry();
				context.getBean(ReadyMeters.class).bindTo(registry);
				HealthEndpoint health = context.getBean(HealthEndpoint.class);
				health.health();
				assertThat(ready(registry)).as("not asked for").isNaN();
				health.healthForPath("readiness");
				assertThat(ready(registry)).isEqualTo(1);
				fit.set(false);
				health.healthForPath("readiness");
				assertThat(ready(registry)).isZero();
			});
	}

	private static double ready(MeterRegistry registry) {
		return registry.get("mailroom.ready").gauge().value();
	}

}
