package dev.mailroom.worker.jobs;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.stereotype.Component;

/**
 * Sends a mail to the sandbox through the public address of the API every minute and
 * waits until it is delivered, as a client would. Thus it measures what the counters of
 * the apps cannot see: name, certificate, proxy and network before them.
 */
@Component
@ConditionalOnExpression("!environment.getProperty('mailroom.probe.url', '').isBlank()")
class Probe implements DisposableBean {

	private static final Logger log = LoggerFactory.getLogger(Probe.class);

	private static final Duration POLL = Duration.ofMillis(500);

	/** The objective is the deadline: 30 s. */
	private static final Duration[] BUCKETS = Stream.of("0.25", "0.5", "1", "2.5", "5", "10", "20", "30")
		.map((seconds) -> Duration.parse("PT" + seconds + "S"))
		.toArray(Duration[]::new);

	private final Settings settings;

	private final String recipient;

	private final Clock clock;

	private final HttpClient client;

	private final Timer time;

	private final MeterRegistry registry;

	private final ScheduledExecutorService timer = Executors
		.newSingleThreadScheduledExecutor(Thread.ofVirtual().name("probe").factory());

	/** The start of the process before the first success, in milliseconds. */
	private volatile long lastSuccess;

	private volatile Result last = Result.DELIVERED;

	Probe(Settings settings, @Value("${mailroom.platform-domain}") String domain, Clock clock, MeterRegistry registry) {
		this.settings = settings;
		this.recipient = "delivered@simulator." + domain;
		this.clock = clock;
		this.registry = registry;
		this.client = HttpClient.newBuilder().connectTimeout(settings.deadline()).build();
		this.lastSuccess = clock.millis();
		this.time = Timer.builder("mailroom.probe")
			.description("Time until a mail to the sandbox, sent through the public address, is delivered")
			.serviceLevelObjectives(BUCKETS)
			.register(registry);
		for (Result result : Result.values()) {
			Counter _ = counter(result);
		}
		Gauge.builder("mailroom.probe.last.success", () -> this.lastSuccess / 1000.0)
			.description("Time of the last mail of the probe that was delivered, or of the start")
			.baseUnit("seconds")
			.register(registry);
		Future<?> _ = this.timer.scheduleAtFixedRate(this::run, settings.interval().toMillis(),
				settings.interval().toMillis(), TimeUnit.MILLISECONDS);
	}

	private Counter counter(Result result) {
		return Counter.builder("mailroom.probe.total")
			.description("Mails sent to the sandbox through the public address")
			.tag("result", result.name().toLowerCase(Locale.ROOT))
			.register(this.registry);
	}

	private void run() {
		long begin = System.nanoTime();
		Outcome outcome;
		try {
			outcome = send(begin);
		}
		catch (InterruptedException _) {
			Thread.currentThread().interrupt();
			return;
		}
		catch (IOException | RuntimeException ex) {
			outcome = new Outcome(Result.UNREACHABLE, Objects.requireNonNullElse(ex.getMessage(), "no connection"));
		}
		record(outcome, System.nanoTime() - begin);
	}

	private void record(Outcome outcome, long nanos) {
		Result result = outcome.result();
		counter(result).increment();
		if (result == Result.DELIVERED) {
			this.lastSuccess = this.clock.millis();
			this.time.record(Duration.ofNanos(nanos));
		}
		if (result != this.last) {
			this.last = result;
			if (result == Result.DELIVERED) {
				log.info("The mail of the probe is delivered again");
			}
			else {
				log.warn("The mail of the probe was not delivered ({}): {}", result, outcome.cause());
			}
		}
	}

	private Outcome send(long begin) throws IOException, InterruptedException {
		HttpResponse<String> response = this.client
			.send(request("/api/emails").header("Content-Type", "application/json")
				.POST(HttpRequest.BodyPublishers.ofString(JsonMapper.shared()
					.writeValueAsString(Map.of("from", this.settings.from(), "to", List.of(this.recipient), "subject",
							"Probe of Mailroom", "text", "Sent every minute to measure the delivery."))))
				.build(), HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() / 100 != 2) {
			return refused(response);
		}
		String id = body(response).path("id").asString("");
		String status = "none";
		while (System.nanoTime() - begin < this.settings.deadline().toNanos()) {
			response = this.client.send(request("/api/emails/" + id).GET().build(),
					HttpResponse.BodyHandlers.ofString());
			if (response.statusCode() / 100 != 2) {
				return refused(response);
			}
			status = body(response).path("status").asString("");
			if (status.equals("delivered")) {
				return new Outcome(Result.DELIVERED, status);
			}
			Thread.sleep(POLL);
		}
		return new Outcome(Result.LATE, "its status is " + status + " after " + this.settings.deadline());
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.settings.url() + path))
			.timeout(this.settings.deadline())
			.header("Authorization", "Bearer " + this.settings.key());
	}

	private static Outcome refused(HttpResponse<String> response) {
		String text = response.body();
		return new Outcome(Result.REFUSED,
				response.statusCode() + " " + text.substring(0, Math.min(text.length(), 200)));
	}

	/** The body, which something before the API may have written. */
	private static JsonNode body(HttpResponse<String> response) throws IOException {
		try {
			return JsonMapper.shared().readTree(response.body());
		}
		catch (JacksonException ex) {
			throw new IOException("The response is not JSON", ex);
		}
	}

	@Override
	public void destroy() {
		this.timer.shutdownNow();
		this.client.shutdownNow();
	}

	/** Results of a mail: label values. */
	private enum Result {

		/** Delivered within the deadline. */
		DELIVERED,
		/** Accepted and not delivered by then. */
		LATE,
		/** A response other than 2xx. */
		REFUSED,
		/** No response, or one that is not of the API. */
		UNREACHABLE

	}

	private record Outcome(Result result, String cause) {
	}

	/**
	 * Settings of the probe. Interval and deadline are properties for tests, without
	 * environment variables.
	 *
	 * @param url public base URL of the API; empty for no probe
	 * @param key API key with the permissions emails.sandbox and emails.read
	 * @param from sender, at the domain of the key
	 * @param interval time between two mails
	 * @param deadline time within which a mail must be delivered
	 */
	@ConfigurationProperties("mailroom.probe")
	record Settings(@DefaultValue("") String url, @DefaultValue("") String key, @DefaultValue("") String from,
			@DefaultValue("1m") Duration interval, @DefaultValue("30s") Duration deadline) {
	}

}
