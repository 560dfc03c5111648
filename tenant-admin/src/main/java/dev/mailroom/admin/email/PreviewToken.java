package dev.mailroom.admin.email;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.secret.Stamp;

/**
 * The part of a URL that names the content of a preview or of a download, authenticated
 * against forgery.
 *
 * @param position number of the attachment that is downloaded; 0 for other kinds
 * @param expiresAt time from which the URL is invalid, in whole seconds
 */
record PreviewToken(Kind kind, UUID account, UUID id, int position, Instant expiresAt) {

	private static final String PURPOSE = "preview";

	private static final int VALUE_BYTES = 1 + 5 * Long.BYTES + Integer.BYTES;

	private static final int STAMP_BYTES = 16;

	PreviewToken(Kind kind, UUID account, UUID id, Instant expiresAt) {
		this(kind, account, id, 0, expiresAt);
	}

	/** The text of the token. */
	String text(Stamp stamp) {
		byte[] value = value();
		byte[] all = Arrays.copyOf(value, VALUE_BYTES + STAMP_BYTES);
		System.arraycopy(stamp.stamp(PURPOSE, value, STAMP_BYTES), 0, all, VALUE_BYTES, STAMP_BYTES);
		return Base64.getUrlEncoder().withoutPadding().encodeToString(all);
	}

	/** Parses a token; empty if it is forged or has expired. */
	static Optional<PreviewToken> parse(String text, Stamp stamp, Instant now) {
		try {
			byte[] all = Base64.getUrlDecoder().decode(text);
			if (all.length != VALUE_BYTES + STAMP_BYTES || !stamp.fits(PURPOSE, Arrays.copyOf(all, VALUE_BYTES),
					Arrays.copyOfRange(all, VALUE_BYTES, all.length))) {
				return Optional.empty();
			}
			ByteBuffer value = ByteBuffer.wrap(all);
			PreviewToken token = new PreviewToken(Kind.of(value.get()), new UUID(value.getLong(), value.getLong()),
					new UUID(value.getLong(), value.getLong()), value.getInt(), Instant.ofEpochSecond(value.getLong()));
			return Optional.of(token).filter((it) -> now.isBefore(it.expiresAt()));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

	private byte[] value() {
		return ByteBuffer.allocate(VALUE_BYTES)
			.put(this.kind.code)
			.putLong(this.account.getMostSignificantBits())
			.putLong(this.account.getLeastSignificantBits())
			.putLong(this.id.getMostSignificantBits())
			.putLong(this.id.getLeastSignificantBits())
			.putInt(this.position)
			.putLong(this.expiresAt.getEpochSecond())
			.array();
	}

	/** Kinds of content. */
	enum Kind {

		/** A sent email. */
		EMAIL('e'),
		/** A template. */
		TEMPLATE('t'),
		/** A campaign. */
		CAMPAIGN('c'),
		/** A received mail. */
		INBOUND_EMAIL('i'),
		/** The bytes of a received mail, as a download. */
		INBOUND_SOURCE('s'),
		/** An attachment of a received mail, as a download. */
		INBOUND_FILE('f'),
		/** Content that the page posts; it is not stored. */
		DRAFT('d');

		private final byte code;

		Kind(char code) {
			this.code = (byte) code;
		}

		static Kind of(byte code) {
			return Arrays.stream(values())
				.filter((kind) -> kind.code == code)
				.findFirst()
				.orElseThrow(IllegalArgumentException::new);
		}

	}

}
