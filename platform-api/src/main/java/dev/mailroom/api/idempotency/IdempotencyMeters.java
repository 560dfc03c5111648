package dev.mailroom.api.idempotency;

import dev.mailroom.Refused;
import dev.mailroom.idempotency.Idempotency;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/** Counter of requests with an Idempotency-Key by result. */
@Component
public class IdempotencyMeters {

	private final MeterRegistry registry;

	IdempotencyMeters(MeterRegistry registry) {
		this.registry = registry;
	}

	/** Counts a request whose response, new or stored, has these headers. */
	public void succeeded(HttpHeaders response) {
		count(response.containsHeader(IdempotencyFilter.REPLAYED) ? "replayed" : "new");
	}

	/** Counts a conflict over the key; other refusals store nothing under the key. */
	public void failed(Throwable error) {
		if (error instanceof Refused refused) {
			if (refused.refusal().equals(Idempotency.reused().refusal())) {
				count("reused");
			}
			else if (refused.refusal().equals(Idempotency.inProgress().refusal())) {
				count("in_progress");
			}
		}
	}

	private void count(String result) {
		this.registry.counter("mailroom.idempotency", "result", result).increment();
	}

}
