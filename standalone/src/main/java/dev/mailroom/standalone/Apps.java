package dev.mailroom.standalone;

import java.util.Map;

import dev.mailroom.admin.TenantAdmin;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.worker.DeliveryWorker;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The three apps in one process. They share a class path, so each app excludes the
 * auto-configurations that only another app needs. They share one management port, served
 * by the worker, whose readiness includes that of the other two.
 */
final class Apps {

	private static final String BOOT = "org.springframework.boot.";

	private static final String KAFKA_AUTO_CONFIGURATIONS = BOOT + "kafka.autoconfigure.KafkaAutoConfiguration," + BOOT
			+ "kafka.autoconfigure.metrics.KafkaMetricsAutoConfiguration";

	private static final String SECURITY_AUTO_CONFIGURATIONS = String.join(",",
			BOOT + "security.autoconfigure.SecurityAutoConfiguration",
			BOOT + "security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
			BOOT + "security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
			BOOT + "security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
			BOOT + "security.oauth2.server.resource.autoconfigure.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
			BOOT + "security.oauth2.server.resource.autoconfigure.web.reactive."
					+ "ReactiveOAuth2ResourceServerWebSecurityAutoConfiguration");

	private static final String GRAPHQL_AUTO_CONFIGURATIONS = String.join(",",
			BOOT + "graphql.autoconfigure.GraphQlAutoConfiguration",
			BOOT + "graphql.autoconfigure.observation.GraphQlObservationAutoConfiguration",
			BOOT + "graphql.autoconfigure.reactive.GraphQlWebFluxAutoConfiguration");

	private Apps() {
	}

	/** Creates the apps, to be started together. */
	static App[] of(AppEnvironment environment, FreePorts ports, ConfigurableApplicationContext parent) {
		App api = new App(PlatformApi.class, PlatformApi.CONFIG, environment,
				webProperties(ports.of(Port.API), KAFKA_AUTO_CONFIGURATIONS + "," + GRAPHQL_AUTO_CONFIGURATIONS),
				parent);
		App admin = new App(TenantAdmin.class, TenantAdmin.CONFIG, environment,
				webProperties(ports.of(Port.ADMIN), KAFKA_AUTO_CONFIGURATIONS), parent);
		App worker = new App(DeliveryWorker.class, DeliveryWorker.CONFIG, environment,
				workerProperties(ports.of(Port.MANAGEMENT)), parent, api, admin);
		return new App[] { api, admin, worker };
	}

	private static Map<String, String> webProperties(int port, String exclusions) {
		return Map.of("server.port", Integer.toString(port), "management.server.port", "-1",
				"spring.autoconfigure.exclude", exclusions);
	}

	private static Map<String, String> workerProperties(int port) {
		return Map.of("server.port", Integer.toString(port), "management.endpoint.health.group.readiness.include",
				"readinessState,database,broker," + PlatformApi.CONFIG + "," + TenantAdmin.CONFIG,
				"spring.autoconfigure.exclude", SECURITY_AUTO_CONFIGURATIONS + "," + GRAPHQL_AUTO_CONFIGURATIONS);
	}

}
