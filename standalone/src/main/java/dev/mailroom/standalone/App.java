package dev.mailroom.standalone;

import java.util.List;
import java.util.Map;

import dev.mailroom.schema.NotDurable;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.Banner;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * One of the apps, as a child of the standalone's context, with its own configuration
 * file, port and security.
 */
final class App implements Part, HealthIndicator {

	private final Class<?> type;

	private final String name;

	private final String[] arguments;

	private final Map<String, Object> defaults;

	private final ConfigurableApplicationContext parent;

	private final List<App> others;

	private volatile @Nullable ConfigurableApplicationContext context;

	/**
	 * An app that does not run yet.
	 * @param name of the app and of its configuration file
	 * @param own what holds for this app alone
	 * @param others whose health it tells besides its own
	 */
	App(Class<?> type, String name, AppEnvironment variables, Map<String, String> own,
			ConfigurableApplicationContext parent, App... others) {
		this.type = type;
		this.name = name;
		this.arguments = variables.arguments(own);
		this.defaults = variables.defaults();
		this.parent = parent;
		this.others = List.of(others);
	}

	@Override
	public void start() {
		try {
			this.context = run();
		}
		catch (NotDurable ex) {
			throw new StartFailure(String.valueOf(ex.getMessage()), ex);
		}
	}

	private ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(this.type).parent(this.parent)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.registerShutdownHook(false)
			.initializers((ApplicationContextInitializer<GenericApplicationContext>) this::furnish)
			.properties(this.defaults)
			.properties(Map.of("spring.config.name", this.name))
			.run(this.arguments);
	}

	private void furnish(GenericApplicationContext starting) {
		countInto(starting);
		this.others.forEach((other) -> starting.registerBean(other.name, HealthIndicator.class, () -> other));
	}

	/** Gives the app a registry whose meters bear its name in the registry of all. */
	private void countInto(GenericApplicationContext starting) {
		CompositeMeterRegistry registry = new CompositeMeterRegistry(Clock.SYSTEM,
				List.of(this.parent.getBean(PrometheusMeterRegistry.class)));
		registry.config().commonTags("application", this.name);
		starting.registerBean("meterRegistry", CompositeMeterRegistry.class, () -> registry, (definition) -> {
			definition.setPrimary(true);
			// To close it would close the registry of all.
			((AbstractBeanDefinition) definition).setDestroyMethodName("");
		});
	}

	/** Whether it is ready for work. */
	@Override
	public Health health() {
		ConfigurableApplicationContext running = this.context;
		if (running == null) {
			return Health.outOfService().build();
		}
		HealthDescriptor ready = running.getBean(HealthEndpoint.class).healthForPath("readiness");
		return ((ready != null) ? Health.status(ready.getStatus()) : Health.unknown()).build();
	}

	boolean isReady() {
		return health().getStatus().equals(Status.UP);
	}

	@Override
	public void close() {
		ConfigurableApplicationContext running = this.context;
		if (running != null) {
			running.close();
		}
	}

}
