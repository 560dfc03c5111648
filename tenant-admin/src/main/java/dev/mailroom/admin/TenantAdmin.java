package dev.mailroom.admin;

import java.util.Map;

import dev.mailroom.Core;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/**
 * The face for tenants' people and for operators. Configured by
 * {@code tenant-admin.yaml}.
 */
@SpringBootApplication
@Import(Core.class)
public class TenantAdmin {

	/** The name of this app's configuration file. */
	public static final String CONFIG = "tenant-admin";

	/** Starts the app alone. */
	public static void main(String[] arguments) {
		SpringApplication app = new SpringApplication(TenantAdmin.class);
		app.setDefaultProperties(Map.of("spring.config.name", CONFIG));
		app.run(arguments);
	}

}
