package dev.mailroom.observability;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import dev.mailroom.addresscheck.AddressCheck;
import dev.mailroom.addresscheck.AddressCheck.Kind;
import dev.mailroom.addresscheck.AddressCheck.Result;
import dev.mailroom.addresscheck.AddressChecks;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;

/**
 * Gauges of the checks of sending addresses: one for each address and kind, and one for
 * all domains. Lists have no series of their own.
 */
public class AddressMeters {

	private static final String DOMAINS = "domains";

	private final AddressChecks checks;

	private final MultiGauge results;

	AddressMeters(AddressChecks checks, MeterRegistry registry) {
		this.checks = checks;
		this.results = MultiGauge.builder("mailroom.address.check")
			.description("Result of a check of a sending address: 0 ok, 1 warning, 2 failed, 3 unknown")
			.register(registry);
	}

	/** Reads the results and sets the gauges. */
	public void read() {
		export(this.checks.read());
	}

	/** Removes the gauges, because another process exports them. */
	public void hide() {
		export(List.of());
	}

	void export(List<AddressCheck> checks) {
		Map<Tags, List<Result>> grouped = checks.stream()
			.collect(Collectors.groupingBy(AddressMeters::tags,
					Collectors.mapping(AddressCheck::result, Collectors.toList())));
		this.results.register(grouped.entrySet()
			.stream().<MultiGauge
					.Row<?>>map((entry) -> MultiGauge.Row.of(entry.getKey(), worst(entry.getValue()).value()))
			.toList(), true);
	}

	private static Tags tags(AddressCheck check) {
		return Tags.of("source", (check.kind() == Kind.DOMAIN) ? DOMAINS : check.subject(), "check",
				check.kind().contractName());
	}

	/** The worst result; unknown only if no list has answered. */
	private static Result worst(List<Result> results) {
		return results.stream()
			.filter((result) -> result != Result.UNKNOWN)
			.max(Result::compareTo)
			.orElse(Result.UNKNOWN);
	}

}
