package dev.mailroom.worker.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.mailroom.dmarcreport.ReportDomain;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Looks up the records of the domain for reports, if there is one. */
@Component
class ReportDomainJob {

	private static final Duration INTERVAL = Duration.ofMinutes(10);

	private final Map<ReportDomain.Kind, Integer> results = new ConcurrentHashMap<>();

	ReportDomainJob(Jobs jobs, ReportDomain domain, MeterRegistry registry) {
		if (!domain.isConfigured()) {
			return;
		}
		for (ReportDomain.Kind kind : ReportDomain.Kind.values()) {
			Gauge.builder("mailroom.report.domain", this.results, (found) -> value(found.get(kind)))
				.description("Records of the domain for reports: 0 found, 2 missing, 3 not known")
				.tag("check", kind.label())
				.register(registry);
		}
		jobs.always("records of the domain for reports were looked up", INTERVAL,
				() -> Jobs.done(domain.checks().map(this::keep)));
	}

	private long keep(List<ReportDomain.Check> checks) {
		checks.forEach((check) -> this.results.put(check.kind(), check.state().value()));
		return 0;
	}

	private static double value(@Nullable Integer result) {
		return (result != null) ? result : Double.NaN;
	}

}
