package dev.mailroom.observability;

import java.time.Duration;
import java.util.List;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TrafficReportTest {

	private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

	private final TrafficReport.RequestCounts counts = new TrafficReport.RequestCounts(this.registry);

	TrafficReportTest() {
		this.registry.config().meterFilter(new Observability().requestBuckets());
	}

	@Test
	void requestsToTheApiAreCountedOnce() {
		answer("platform-api", "POST", "/api/emails", "200", 40);
		answer("platform-api", "POST", "/api/emails", "200", 900);
		answer("platform-api", "POST", "/api/emails/batch", "503", 20);
		answer("platform-api", "GET", "/api/emails", "200", 900);
		answer("platform-api", "GET", "/actuator/health", "503", 1);
		answer("tenant-admin", "POST", "/graphql", "500", 1);
		assertThat(this.counts.take()).isEqualTo(new TrafficReport.Counts(4, 1, 3, 1));
		assertThat(this.counts.take()).isEqualTo(TrafficReport.Counts.NONE);
	}

	@Test
	void requestsThatCouldNotBeWrittenAreCountedAgain() {
		answer("platform-api", "POST", "/api/emails", "200", 900);
		TrafficReport.Counts first = this.counts.take();
		answer("platform-api", "POST", "/api/emails", "500", 10);
		this.counts.putBack(first);
		assertThat(this.counts.take()).isEqualTo(new TrafficReport.Counts(2, 1, 2, 1));
	}

	@Test
	void requestsThatSendMailHaveFineBucketsAroundTheirObjectiveAndOtherRoutesSomeOfThem() {
		answer("platform-api", "POST", "/api/emails", "200", 200);
		answer("platform-api", "GET", "/api/emails", "200", 200);
		assertThat(bounds("POST")).containsExactly("0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0",
				"+Inf");
		assertThat(bounds("GET")).containsExactly("0.1", "0.25", "1.0", "5.0", "+Inf");
	}

	private List<String> bounds(String method) {
		return this.registry.scrape()
			.lines()
			.filter((line) -> line.contains("_bucket{") && line.contains("method=\"" + method + "\""))
			.map((line) -> line.replaceAll(".*le=\"([^\"]+)\".*", "$1"))
			.toList();
	}

	private void answer(String application, String method, String uri, String status, int millis) {
		Timer.builder("http.server.requests")
			.tags("application", application, "method", method, "uri", uri, "status", status)
			.register(this.registry)
			.record(Duration.ofMillis(millis));
	}

}
