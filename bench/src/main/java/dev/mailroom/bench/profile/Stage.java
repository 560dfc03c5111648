package dev.mailroom.bench.profile;

import java.util.Arrays;
import java.util.List;

/** Parts of the work of a program, recognised by the classes of a stack trace. */
enum Stage {

	DKIM("DKIM", "dev.mailroom.worker.compose.Dkim", "com.amazon.corretto", "sun.security.", "java.security."),
	MIME("MIME", "dev.mailroom.worker.compose", "jakarta.mail", "org.eclipse.angus"),
	SMTP("SMTP", "dev.mailroom.worker.smtp", "io.netty.handler.codec.smtp"),
	WEBHOOKS("webhooks", "dev.mailroom.worker.webhook"),
	FAN_OUT("fan-out", "dev.mailroom.worker.jobs.FanOut", "dev.mailroom.campaign"),
	JSON("JSON", "tools.jackson", "com.fasterxml.jackson"),
	POSTGRESQL("PostgreSQL drivers", "org.postgresql", "io.r2dbc", "org.springframework.r2dbc",
			"org.springframework.transaction"),
	KAFKA("Kafka client", "org.apache.kafka", "org.springframework.kafka"),
	HTTP("HTTP", "reactor.netty.http", "io.netty.handler.codec.http", "org.springframework.web",
			"org.springframework.http", "org.springframework.security"),
	METRICS("metrics", "io.micrometer"), MAILROOM("Mailroom", "dev.mailroom"),
	NETTY("Netty", "io.netty", "reactor.netty"), REACTOR("Reactor", "reactor."), OTHER("other");

	private final String label;

	private final List<String> prefixes;

	Stage(String label, String... prefixes) {
		this.label = label;
		this.prefixes = List.of(prefixes);
	}

	String label() {
		return this.label;
	}

	/**
	 * Stage of a stack trace: that of the innermost class that belongs to one. Netty and
	 * Reactor are only named if nothing else in the trace is recognised.
	 * @param classes names of the classes, innermost first
	 */
	static Stage of(List<String> classes) {
		List<Stage> found = classes.stream().map(Stage::of).filter((stage) -> stage != OTHER).toList();
		return found.stream()
			.filter((stage) -> stage != NETTY && stage != REACTOR)
			.findFirst()
			.orElse(found.isEmpty() ? OTHER : found.getFirst());
	}

	private static Stage of(String name) {
		return Arrays.stream(values())
			.filter((stage) -> stage.prefixes.stream().anyMatch(name::startsWith))
			.findFirst()
			.orElse(OTHER);
	}

}
