package dev.mailroom.worker.dispatch;

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

	private static final byte VERSION = 1;

	private static final int HEADER_LENGTH = 2;

	private static final int MIN_LENGTH = HEADER_LENGTH + 4 * Long.BYTES + Integer.BYTES + 2;

	private LeaseBytes() {
	}

	/** Value of the record. */
	static byte[] of(Lease lease) {
		Route route = lease.route();
		byte[] domain = route.domain().getBytes(StandardCharsets.UTF_8);
		byte[] transport = ((route.transport() != null) ? route.transport().contractName() : "")
			.getBytes(StandardCharsets.UTF_8);
		ByteBuffer buffer = ByteBuffer.allocate(MIN_LENGTH + transport.length + domain.length);
		buffer.put(MARK).put(VERSION);
		put(put(buffer, lease.delivery()).putInt(lease.epoch()), route.accountId())
			.put((byte) (route.requiresTls() ? 1 : 0))
			.put((byte) transport.length)
			.put(transport)
			.put(domain);
		return buffer.array();
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
		return value != null && value.length >= HEADER_LENGTH && value[0] == MARK && value[1] != VERSION;
	}

	/** Parses the value of a record; empty if it is not a lease. */
	public static Optional<Lease> read(byte @Nullable [] value) {
		if (value == null || value.length < MIN_LENGTH || value[0] != MARK || value[1] != VERSION
				|| value[MIN_LENGTH - 1] < 0 || value.length < MIN_LENGTH + value[MIN_LENGTH - 1]) {
			return Optional.empty();
		}
		ByteBuffer buffer = ByteBuffer.wrap(value).position(HEADER_LENGTH);
		UUID delivery = id(buffer);
		int epoch = buffer.getInt();
		UUID account = id(buffer);
		boolean requiresTls = buffer.get() == 1;
		TransportKind transport = TransportKind.of(text(buffer, buffer.get()));
		return Optional.of(new Lease(delivery, epoch,
				new Route(account, text(buffer, buffer.remaining()), transport, requiresTls)));
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
