package dev.mailroom.database;

import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.UUID;

/**
 * The smallest and the largest of some ids. A statement that names both reads only the
 * monthly partitions between them: PostgreSQL chooses no partitions by an array.
 */
public record IdRange(UUID min, UUID max) {

	/** The order of PostgreSQL; that of {@link UUID#compareTo} is signed. */
	private static final Comparator<UUID> ORDER = ((Comparator<UUID>) (one, other) -> Long
		.compareUnsigned(one.getMostSignificantBits(), other.getMostSignificantBits())).thenComparing(
				(one, other) -> Long.compareUnsigned(one.getLeastSignificantBits(), other.getLeastSignificantBits()));

	/** The range of some ids; without any, one that contains none. */
	public static IdRange of(Collection<UUID> ids) {
		return new IdRange(ids.stream().min(ORDER).orElse(new UUID(-1, -1)),
				ids.stream().max(ORDER).orElse(new UUID(0, 0)));
	}

	/** The smallest UUIDv7 of a time (RFC 9562 5.7). */
	public static UUID lowest(Instant time) {
		return new UUID(time.toEpochMilli() << 16, 0);
	}

	/** The time of a UUIDv7. */
	public static Instant time(UUID id) {
		return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
	}

}
