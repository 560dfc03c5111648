package dev.mailroom.observability;

import dev.mailroom.directory.DirectoryCopy;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Meters of the directory of cells, if there is one. */
class DirectoryMeters implements MeterBinder {

	private final DirectoryCopy copy;

	DirectoryMeters(DirectoryCopy copy) {
		this.copy = copy;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		if (this.copy.isUsed()) {
			Gauge.builder("mailroom.directory.copy.age", this.copy, DirectoryCopy::age)
				.description("Age of the last sign of this cell in its copy of the directory")
				.baseUnit("seconds")
				.register(registry);
			Gauge.builder("mailroom.directory.reached", this.copy, DirectoryCopy::reached)
				.description("Whether this cell reaches the directory")
				.register(registry);
			Gauge.builder("mailroom.directory.conflicts", this.copy, DirectoryCopy::conflicts)
				.description("Verified names of this cell that another cell has in the directory")
				.register(registry);
		}
	}

}
