package dev.mailroom.standalone;

import java.util.Map;

import dev.mailroom.admin.TenantAdmin;
import dev.mailroom.api.PlatformApi;
import dev.mailroom.worker.DeliveryWorker;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The three apps as they stand side by side. One class path would give each of them what
 * another has asked for, and one management port has room for one of them: the worker,
 * which nobody else calls, has it and tells of all.
 */
final class Apps {

	private static final String BOOT = "org.springframework.boot.";

	private static final String KAFKA = BOOT + "kafka.autoconfigure.KafkaAutoConfiguration," + BOOT
			+ "kafka.autoconfigure.metrics.KafkaMetricsAutoConfiguration";

	private static final String SECURITY = String.join(",", BOOT + "security.autoconfigure.SecurityAutoConfiguration",
			BOOT + "security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
			BOOT + "security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
			BOOT + "security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration",
			BOOT + "security.oauth2.server.resource.autoconfigure.reactive.ReactiveOAuth2ResourceServerAutoConfiguration",
			BOOT + "security.oauth2.server.resource.autoconfigure.web.reactive."
					+ "ReactiveOAuth2ResourceServerWebSecurityAutoConfiguration");

	private Apps() {
	}

	/** The apps, to be started together. */
	static App[] of(AppEnvironment variables, FreePorts ports, ConfigurableApplicationContext parent) {
		App api = new App(PlatformApi.class, PlatformApi.CONFIG, variables, faceAt(ports.of(Port.API), KAFKA), parent);
		App admin = new App(TenantAdmin.class, TenantAdmin.CONFIG, variables,
				faceAt(ports.of(Port.ADMIN), KAFKA + "," + SECURITY), parent);
		App worker = new App(DeliveryWorker.class, DeliveryWorker.CONFIG, variables,
				managementAt(ports.of(Port.MANAGEMENT)), parent, api, admin);
		return new App[] { api, admin, worker };
	}

	private static Map<String, String> faceAt(int port, String without) {
		return Map.of("server.port", Integer.toString(port), "management.server.port", "-1",
				"spring.autoconfigure.exclude", without);
	}

	private static Map<String, String> managementAt(int port) {
		return Map.of("server.port", Integer.toString(port), "management.endpoint.health.group.readiness.include",
				"readinessState,database,broker," + PlatformApi.CONFIG + "," + TenantAdmin.CONFIG,
				"spring.autoconfigure.exclude", SECURITY);
	}

}
