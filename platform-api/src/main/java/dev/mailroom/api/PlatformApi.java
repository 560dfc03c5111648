package dev.mailroom.api;

import java.util.Map;

import dev.mailroom.Core;
import dev.mailroom.bootstrap.PlatformBootstrap;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/**
 * The REST face for tenants' programs and people. Configured by
 * {@code platform-api.yaml}.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({ Core.class, PlatformBootstrap.class })
public class PlatformApi {

	/** The name of this app's configuration file. */
	public static final String CONFIG = "platform-api";

	/** Starts the app alone. */
	public static void main(String[] arguments) {
		SpringApplication app = new SpringApplication(PlatformApi.class);
		app.setDefaultProperties(Map.of("spring.config.name", CONFIG));
		app.run(arguments);
	}

}
