package dev.mailroom.worker.dispatch;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.outcome.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A lease as the topic carries it: the delivery's id and the epoch, and nothing of the
 * mail.
 */
public final class LeaseBytes {

	private static final int LENGTH = 2 * Long.BYTES + Integer.BYTES;

	private LeaseBytes() {
	}

	/** The record's value. */
	static byte[] of(Lease lease) {
		return ByteBuffer.allocate(LENGTH)
			.putLong(lease.delivery().getMostSignificantBits())
			.putLong(lease.delivery().getLeastSignificantBits())
			.putInt(lease.epoch())
			.array();
	}

	/** The record's key: all leases of a delivery stand in one partition. */
	static byte[] key(Lease lease) {
		return ByteBuffer.allocate(2 * Long.BYTES)
			.putLong(lease.delivery().getMostSignificantBits())
			.putLong(lease.delivery().getLeastSignificantBits())
			.array();
	}

	/** Reads a record's value; empty where it is no lease. */
	public static Optional<Lease> read(byte @Nullable [] value) {
		if (value == null || value.length != LENGTH) {
			return Optional.empty();
		}
		ByteBuffer buffer = ByteBuffer.wrap(value);
		return Optional.of(new Lease(new UUID(buffer.getLong(), buffer.getLong()), buffer.getInt()));
	}

}
