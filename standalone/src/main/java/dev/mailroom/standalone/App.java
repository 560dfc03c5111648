package dev.mailroom.standalone;

import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.mailroom.api.PlatformApi;
import dev.mailroom.database.NotDurable;
import dev.mailroom.standalone.host.HostFilter;
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
 * One of the three apps, run as a child of the standalone's application context with its
 * own configuration file, port and security.
 */
final class App implements Part, HealthIndicator {

	private final Class<?> type;

	private final String name;

	private final String[] arguments;

	private final Map<String, Object> defaults;

	private final ConfigurableApplicationContext parent;

	private final List<App> monitored;

	private volatile @Nullable ConfigurableApplicationContext context;

	/**
	 * Creates an app without starting it.
	 * @param type the app's Spring Boot application class
	 * @param name the name of the app and of its configuration file
	 * @param environment the values that all apps share
	 * @param properties the properties of this app alone
	 * @param parent the context that all apps share
	 * @param monitored the apps whose readiness this app reports in addition to its own
	 */
	App(Class<?> type, String name, AppEnvironment environment, Map<String, String> properties,
			ConfigurableApplicationContext parent, App... monitored) {
		this.type = type;
		this.name = name;
		this.arguments = environment.arguments(properties);
		this.defaults = environment.defaults();
		this.parent = parent;
		this.monitored = List.of(monitored);
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
			.initializers((ApplicationContextInitializer<GenericApplicationContext>) this::registerBeans)
			.properties(this.defaults)
			.properties(Map.of("spring.config.name", this.name))
			.run(this.arguments);
	}

	private void registerBeans(GenericApplicationContext child) {
		registerMeters(child);
		if (!this.name.equals(PlatformApi.CONFIG)) {
			// The API has a credential in each request, and links that the outside
			// follows.
			child.registerBean(HostFilter.class, () -> HostFilter.of(child.getEnvironment()));
		}
		this.monitored.forEach((app) -> child.registerBean(app.name, HealthIndicator.class, () -> app));
	}

	/**
	 * Registers a meter registry that tags each meter with the name of the app and
	 * forwards it to the shared registry.
	 */
	private void registerMeters(GenericApplicationContext child) {
		CompositeMeterRegistry registry = new CompositeMeterRegistry(Clock.SYSTEM,
				List.of(this.parent.getBean(PrometheusMeterRegistry.class)));
		registry.config().commonTags("application", this.name);
		child.registerBean("meterRegistry", CompositeMeterRegistry.class, () -> registry, (definition) -> {
			definition.setPrimary(true);
			// Closing it would close the shared registry.
			((AbstractBeanDefinition) definition).setDestroyMethodName("");
		});
	}

	/** Returns the readiness of the app; out of service before the app has started. */
	@Override
	public Health health() {
		ConfigurableApplicationContext running = this.context;
		if (running == null) {
			return Health.outOfService().build();
		}
		HealthDescriptor readiness = running.getBean(HealthEndpoint.class).healthForPath("readiness");
		return ((readiness != null) ? Health.status(readiness.getStatus()) : Health.unknown()).build();
	}

	/** Returns a bean of the running app. */
	<T> T bean(Class<T> type) {
		return Objects.requireNonNull(this.context, this.name).getBean(type);
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
