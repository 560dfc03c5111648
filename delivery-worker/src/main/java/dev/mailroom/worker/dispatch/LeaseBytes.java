package dev.mailroom.worker.dispatch;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Route;
import dev.mailroom.mail.queue.TransportKind;
import org.jspecify.annotations.Nullable;

/**
 * Binary form of a lease in the topic: a mark, the version of the form, the delivery's
 * id, the epoch and the route.
 */
public final class LeaseBytes {

	private static final byte MARK = 'M';

	/** The form of leases without a pool, which earlier workers read as well. */
	private static final byte VERSION = 1;

	/** The form with a pool: its name stands before the domain. */
	private static final byte WITH_POOL = 2;

	private static final int TLS = 1;

	private static final int CAMPAIGN = 2;

	private static final int RETRY = 4;

	private static final int HEADER_LENGTH = 2;

	private static final int MIN_LENGTH = HEADER_LENGTH + 4 * Long.BYTES + Integer.BYTES + 2;

	private LeaseBytes() {
	}

	/** Value of the record. */
	static byte[] of(Lease lease) {
		Route route = lease.route();
		Route.@Nullable Origin origin = route.origin();
		byte[] domain = bytes(route.domain());
		byte[] transport = bytes((route.transport() != null) ? route.transport().contractName() : "");
		byte[] pool = bytes((origin != null) ? origin.pool() : "");
		int flags = route.requiresTls() ? TLS : 0;
		if (origin != null) {
			flags |= (origin.campaign() ? CAMPAIGN : 0) | (origin.retry() ? RETRY : 0);
		}
		ByteBuffer buffer = ByteBuffer
			.allocate(MIN_LENGTH + transport.length + domain.length + ((origin != null) ? 1 + pool.length : 0));
		buffer.put(MARK).put((origin != null) ? WITH_POOL : VERSION);
		put(put(buffer, lease.delivery()).putInt(lease.epoch()), route.accountId()).put((byte) flags)
			.put((byte) transport.length)
			.put(transport);
		if (origin != null) {
			buffer.put((byte) pool.length).put(pool);
		}
		return buffer.put(domain).array();
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	/** Key of the record: all leases of a delivery are in the same partition. */
	static byte[] key(Lease lease) {
		return put(ByteBuffer.allocate(2 * Long.BYTES), lease.delivery()).array();
	}

	/**
	 * Whether a value was written by another version of the worker. Its lease expires,
	 * and the delivery is leased again by a dispatcher that may be of this version.
	 */
	public static boolean isOfOtherVersion(byte @Nullable [] value) {
		return value != null && value.length >= HEADER_LENGTH && value[0] == MARK && !isKnown(value[1]);
	}

	private static boolean isKnown(byte version) {
		return version == VERSION || version == WITH_POOL;
	}

	/** Parses the value of a record; empty if it is not a lease. */
	public static Optional<Lease> read(byte @Nullable [] value) {
		if (value == null || value.length < MIN_LENGTH || value[0] != MARK || !isKnown(value[1])) {
			return Optional.empty();
		}
		try {
			ByteBuffer buffer = ByteBuffer.wrap(value).position(HEADER_LENGTH);
			UUID delivery = id(buffer);
			int epoch = buffer.getInt();
			UUID account = id(buffer);
			byte flags = buffer.get();
			TransportKind transport = TransportKind.of(text(buffer, buffer.get()));
			Route.@Nullable Origin origin = (value[1] == VERSION) ? null
					: new Route.Origin(text(buffer, buffer.get()), (flags & CAMPAIGN) != 0, (flags & RETRY) != 0, null);
			return Optional.of(new Lease(delivery, epoch,
					new Route(account, text(buffer, buffer.remaining()), transport, (flags & TLS) != 0, origin)));
		}
		catch (BufferUnderflowException | NegativeArraySizeException _) {
			return Optional.empty();
		}
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
