package dev.mailroom.observability;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.actuate.endpoint.AdditionalHealthEndpointPath;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.actuate.endpoint.HttpCodeStatusMapper;
import org.springframework.boot.health.actuate.endpoint.StatusAggregator;
import org.springframework.boot.health.contributor.Status;

/**
 * Gauge of the readiness that was reported last. Probes keep it current; a scrape asks
 * nothing.
 */
class ReadyMeters implements HealthEndpointGroupsPostProcessor, MeterBinder {

	private static final String READINESS = "readiness";

	/** NaN until readiness is asked for. */
	private volatile double ready = Double.NaN;

	@Override
	public HealthEndpointGroups postProcessHealthEndpointGroups(HealthEndpointGroups groups) {
		if (!groups.getNames().contains(READINESS)) {
			return groups;
		}
		Map<String, HealthEndpointGroup> named = new LinkedHashMap<>();
		for (String name : groups.getNames()) {
			@Nullable HealthEndpointGroup group = groups.get(name);
			if (group != null) {
				named.put(name, name.equals(READINESS) ? new Noted(group, this::note) : group);
			}
		}
		return HealthEndpointGroups.of(groups.getPrimary(), named);
	}

	private void note(Status status) {
		this.ready = status.equals(Status.UP) ? 1 : 0;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("mailroom.ready", () -> this.ready)
			.description("Whether the process was ready (1) or not (0) when it was probed last")
			.register(registry);
	}

	/** A group whose aggregated status is noted. */
	private record Noted(HealthEndpointGroup group, Consumer<Status> note) implements HealthEndpointGroup {

		@Override
		public boolean isMember(String name) {
			return this.group.isMember(name);
		}

		@Override
		public boolean showComponents(SecurityContext context) {
			return this.group.showComponents(context);
		}

		@Override
		public boolean showDetails(SecurityContext context) {
			return this.group.showDetails(context);
		}

		@Override
		public StatusAggregator getStatusAggregator() {
			return (Set<Status> statuses) -> {
				Status status = this.group.getStatusAggregator().getAggregateStatus(statuses);
				this.note.accept(status);
				return status;
			};
		}

		@Override
		public HttpCodeStatusMapper getHttpCodeStatusMapper() {
			return this.group.getHttpCodeStatusMapper();
		}

		@Override
		public @Nullable AdditionalHealthEndpointPath getAdditionalPath() {
			return this.group.getAdditionalPath();
		}

	}

}
