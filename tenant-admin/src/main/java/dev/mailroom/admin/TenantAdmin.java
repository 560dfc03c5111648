package dev.mailroom.admin;

import java.util.Map;

import dev.mailroom.Core;
import dev.mailroom.http.WebApp;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/**
 * The admin app for tenants and operators. {@code tenant-admin.yaml} lists its settings.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({ Core.class, WebApp.class })
public class TenantAdmin {

	/** Name of the app's configuration file. */
	public static final String CONFIG = "tenant-admin";

	/** Starts the app as a process of its own. */
	public static void main(String[] arguments) {
		SpringApplication app = new SpringApplication(TenantAdmin.class);
		app.setDefaultProperties(Map.of("spring.config.name", CONFIG));
		app.run(arguments);
	}

}
