package dev.mailroom.admin.security;

import dev.mailroom.Refused;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.stereotype.Component;

/** Counts of the errors that clients receive, by the contract's name. */
@Component
public class ErrorCounts {

	private final MeterRegistry registry;

	ErrorCounts(MeterRegistry registry) {
		this.registry = registry;
	}

	/** Counts an error by its name in snake case. */
	public void count(String name) {
		this.registry.counter("mailroom.errors", "name", name).increment();
	}

	/** Adds these counts to the context of a request. */
	public Context addTo(Context context) {
		return context.put(ErrorCounts.class, this);
	}

	/** Counts a refusal in the counts of its request. */
	public static void count(ContextView context, Refused refused) {
		context.<ErrorCounts>getOrEmpty(ErrorCounts.class)
			.ifPresent((counts) -> counts.count(refused.refusal().name()));
	}

}
