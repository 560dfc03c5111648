package dev.mailroom.api;

import java.util.Map;

import dev.mailroom.Core;
import dev.mailroom.account.PlatformBootstrap;
import dev.mailroom.http.WebApp;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/** The REST API for tenants. {@code platform-api.yaml} lists its settings. */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({ Core.class, PlatformBootstrap.class, WebApp.class })
public class PlatformApi {

	/** Name of the app's configuration file. */
	public static final String CONFIG = "platform-api";

	/** Starts the app as a process of its own. */
	public static void main(String[] arguments) {
		SpringApplication app = new SpringApplication(PlatformApi.class);
		app.setDefaultProperties(Map.of("spring.config.name", CONFIG));
		app.run(arguments);
	}

}
