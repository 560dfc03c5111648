package dev.mailroom.observability;

import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selection of the tenants that have time series of their own: the busiest ones and those
 * that need attention, within a limit. The series of all others are combined.
 */
final class BusyTenants {

	/** Value of the tenant label for all tenants that are not selected. */
	static final String OTHER = "_other";

	static final int MAX_BUSIEST = 200;

	static final int MAX_TENANTS = 450;

	private BusyTenants() {
	}

	/** Selects tenants: the busiest ones first, then the others that need attention. */
	static Set<UUID> select(Collection<Tenant> tenants) {
		Comparator<Tenant> byVolume = Comparator.comparingDouble(Tenant::volume).reversed();
		Stream<Tenant> busiest = tenants.stream().sorted(byVolume).limit(MAX_BUSIEST);
		Stream<Tenant> unhealthy = tenants.stream().filter((tenant) -> !tenant.healthy()).sorted(byVolume);
		return Stream.concat(busiest, unhealthy)
			.map(Tenant::id)
			.distinct()
			.limit(MAX_TENANTS)
			.collect(Collectors.toUnmodifiableSet());
	}

	/** Value of the tenant label. */
	static String label(UUID tenant, Set<UUID> selected) {
		return selected.contains(tenant) ? tenant.toString() : OTHER;
	}

	/**
	 * A candidate.
	 *
	 * @param volume recent number of mails, or another measure of activity
	 */
	record Tenant(UUID id, double volume, boolean healthy) {
	}

}
