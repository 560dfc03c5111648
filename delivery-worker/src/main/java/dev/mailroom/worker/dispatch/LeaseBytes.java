package dev.mailroom.worker.dispatch;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.queue.Lease;
import dev.mailroom.queue.Route;
import org.jspecify.annotations.Nullable;

/**
 * A lease as the topic carries it: the delivery's id, the epoch and the route, and
 * nothing of the mail.
 */
public final class LeaseBytes {

	private static final int SHORTEST = 4 * Long.BYTES + Integer.BYTES + 2;

	private LeaseBytes() {
	}

	/** The record's value. */
	static byte[] of(Lease lease) {
		Route route = lease.route();
		byte[] domain = route.domain().getBytes(StandardCharsets.UTF_8);
		byte[] transport = Objects.requireNonNullElse(route.transport(), "").getBytes(StandardCharsets.UTF_8);
		ByteBuffer buffer = ByteBuffer.allocate(SHORTEST + transport.length + domain.length);
		put(put(buffer, lease.delivery()).putInt(lease.epoch()), route.accountId())
			.put((byte) (route.requiresTls() ? 1 : 0))
			.put((byte) transport.length)
			.put(transport)
			.put(domain);
		return buffer.array();
	}

	/** The record's key: all leases of a delivery stand in one partition. */
	static byte[] key(Lease lease) {
		return put(ByteBuffer.allocate(2 * Long.BYTES), lease.delivery()).array();
	}

	/** Reads a record's value; empty where it is no lease. */
	public static Optional<Lease> read(byte @Nullable [] value) {
		if (value == null || value.length < SHORTEST || value[SHORTEST - 1] < 0
				|| value.length < SHORTEST + value[SHORTEST - 1]) {
			return Optional.empty();
		}
		ByteBuffer buffer = ByteBuffer.wrap(value);
		UUID delivery = id(buffer);
		int epoch = buffer.getInt();
		UUID account = id(buffer);
		boolean requiresTls = buffer.get() == 1;
		String transport = text(buffer, buffer.get());
		return Optional.of(new Lease(delivery, epoch, new Route(account, text(buffer, buffer.remaining()),
				transport.isEmpty() ? null : transport, requiresTls)));
	}

	private static ByteBuffer put(ByteBuffer buffer, UUID id) {
		return buffer.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
	}

	private static UUID id(ByteBuffer buffer) {
		return new UUID(buffer.getLong(), buffer.getLong());
	}

	private static String text(ByteBuffer buffer, int length) {
		byte[] bytes = new byte[length];
		buffer.get(bytes);
		return new String(bytes, StandardCharsets.UTF_8);
	}

}
