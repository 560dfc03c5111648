package dev.mailroom.worker;

import java.util.Map;

import dev.mailroom.Core;
import dev.mailroom.http.ManagementPort;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Import;

/**
 * The delivery worker: delivery, inbound mail and webhook calls. It is the only app with
 * Kafka and SMTP. Configured by {@code delivery-worker.yaml}.
 */
@SpringBootApplication
@ConfigurationPropertiesScan
@Import({ Core.class, ManagementPort.class })
public class DeliveryWorker {

	/** Name of the configuration file, without its extension. */
	public static final String CONFIG = "delivery-worker";

	/** Starts the app in a process of its own. */
	public static void main(String[] arguments) {
		SpringApplication app = new SpringApplication(DeliveryWorker.class);
		app.setDefaultProperties(Map.of("spring.config.name", CONFIG));
		app.run(arguments);
	}

}
