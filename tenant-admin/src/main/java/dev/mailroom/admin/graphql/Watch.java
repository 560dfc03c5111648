package dev.mailroom.admin.graphql;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.secret.Stamp;
import graphql.GraphQLContext;

/**
 * The right of one operator to read the data of an account as its owner can, for a
 * limited time. Its token has an effect only beside the operator's own access token, and
 * is authenticated against forgery.
 *
 * @param operator person who is the operator
 * @param account the account that is read
 * @param expiresAt time from which it is invalid, in whole seconds
 */
public record Watch(UUID operator, UUID account, Instant expiresAt) {

	/** Header of requests with the token. */
	static final String HEADER = "X-Mailroom-Watch";

	/** Key of the watch in the context of a request. */
	static final String KEY = "watch";

	private static final String PURPOSE = "watch";

	private static final int VALUE_BYTES = 5 * Long.BYTES;

	private static final int STAMP_BYTES = 16;

	static Optional<Watch> of(GraphQLContext context) {
		return context.getOrEmpty(KEY);
	}

	/** The account as the scope of what is read. */
	Scope scope() {
		return Scope.of(this.account);
	}

	/** The text of the token. */
	public String text(Stamp stamp) {
		byte[] value = ByteBuffer.allocate(VALUE_BYTES)
			.putLong(this.operator.getMostSignificantBits())
			.putLong(this.operator.getLeastSignificantBits())
			.putLong(this.account.getMostSignificantBits())
			.putLong(this.account.getLeastSignificantBits())
			.putLong(this.expiresAt.getEpochSecond())
			.array();
		byte[] all = Arrays.copyOf(value, VALUE_BYTES + STAMP_BYTES);
		System.arraycopy(stamp.stamp(PURPOSE, value, STAMP_BYTES), 0, all, VALUE_BYTES, STAMP_BYTES);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
	}

	/** Parses a token; empty if it is forged or has expired. */
	public static Optional<Watch> parse(String text, Stamp stamp, Instant now) {
		try {
			byte[] all = Base64.getUrlDecoder().decode(text);
			if (all.length != VALUE_BYTES + STAMP_BYTES || !stamp.fits(PURPOSE, Arrays.copyOf(all, VALUE_BYTES),
					Arrays.copyOfRange(all, VALUE_BYTES, all.length))) {
				return Optional.empty();
			}
			ByteBuffer value = ByteBuffer.wrap(all);
			Watch watch = new Watch(new UUID(value.getLong(), value.getLong()),
					new UUID(value.getLong(), value.getLong()), Instant.ofEpochSecond(value.getLong()));
			return Optional.of(watch).filter((it) -> now.isBefore(it.expiresAt()));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

}
