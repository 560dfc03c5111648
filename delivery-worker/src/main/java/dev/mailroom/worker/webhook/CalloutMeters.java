package dev.mailroom.worker.webhook;

import java.time.Duration;

import dev.mailroom.observability.Buckets;
import dev.mailroom.webhook.CallResult;
import dev.mailroom.webhook.LeasedEndpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Meters of webhook calls. */
@Component
class CalloutMeters {

	private final MeterRegistry registry;

	private final Timer calls;

	private final Timer firstCalls;

	CalloutMeters(MeterRegistry registry) {
		this.registry = registry;
		this.calls = Timer.builder("mailroom.webhook.call")
			.description("Time from the beginning of a webhook call to its response")
			.serviceLevelObjectives(Buckets.SLOW)
			.register(registry);
		this.firstCalls = Timer.builder("mailroom.webhook.first.call")
			.description("Time from an event to the first call, for endpoints that do not fail")
			.serviceLevelObjectives(Buckets.SLOW)
			.register(registry);
		for (String result : new String[] { "accepted", "rejected", "unreachable" }) {
			count(result, 0);
		}
	}

	/** Records that a call begins. */
	void begun(LeasedEndpoint.Call call) {
		@Nullable Double wait = call.firstWaitSeconds();
		if (wait != null) {
			this.firstCalls.record(Duration.ofMillis(Math.max(0, (long) (wait * 1000))));
		}
	}

	/** Records the result of a call. */
	void ended(CallResult result) {
		this.calls.record(result.took());
		count(result.isAccepted() ? "accepted" : (result.status() != null) ? "rejected" : "unreachable", 1);
	}

	private void count(String result, int count) {
		this.registry.counter("mailroom.webhook.calls", "result", result).increment(count);
	}

}
