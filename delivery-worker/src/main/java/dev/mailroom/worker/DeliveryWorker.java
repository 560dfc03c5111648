package dev.mailroom.worker;

import java.util.Map;

import dev.mailroom.Core;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/**
 * The machinery that moves mail: the only one that knows Kafka and SMTP. Configured by
 * {@code delivery-worker.yaml}.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import(Core.class)
public class DeliveryWorker {

	/** The name of this app's configuration file. */
	public static final String CONFIG = "delivery-worker";

	/** Starts the app alone. */
	public static void main(String[] arguments) {
		SpringApplication app = new SpringApplication(DeliveryWorker.class);
		app.setDefaultProperties(Map.of("spring.config.name", CONFIG));
		app.run(arguments);
	}

}
