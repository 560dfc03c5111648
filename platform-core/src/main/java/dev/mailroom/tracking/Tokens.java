package dev.mailroom.tracking;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.seal.Stamp;

import org.springframework.stereotype.Component;

/**
 * Writes tokens for links and reads those that come back: what we did not issue, or
 * issued for something else, is no token. The same token has the same text at every
 * attempt to send its mail.
 */
@Component
public class Tokens {

	private static final int ID = 2 * Long.BYTES;

	/** Bytes of a stamp: 2^96 of them are too many to try. */
	private static final int STAMP = 12;

	private final Stamp stamp;

	Tokens(Stamp stamp) {
		this.stamp = stamp;
	}

	String text(Token token) {
		ByteBuffer bytes = ByteBuffer.allocate(token.ids().size() * ID + STAMP);
		token.ids().forEach((id) -> bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));
		byte[] what = Arrays.copyOf(bytes.array(), bytes.position());
		return Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString(bytes.put(this.stamp.stamp(token.purpose(), what, STAMP)).array());
	}

	/** Reads an open's token; empty where we never issued it. */
	public Optional<Token.Open> open(String text) {
		return read(text, Token.Open.PURPOSE, 2).map((ids) -> new Token.Open(ids.get(0), ids.get(1)));
	}

	/** Reads a click's token; empty where we never issued it. */
	public Optional<Token.Click> click(String text) {
		return read(text, Token.Click.PURPOSE, 3).map((ids) -> new Token.Click(ids.get(0), ids.get(1), ids.get(2)));
	}

	/** Reads a token that lets a contact leave; empty where we never issued it. */
	public Optional<Token.Leave> leave(String text) {
		return read(text, Token.Leave.PURPOSE, 2).map((ids) -> new Token.Leave(ids.get(0), ids.get(1)));
	}

	private Optional<List<UUID>> read(String text, String purpose, int ids) {
		int length = ids * ID + STAMP;
		if (text.length() != (length * Byte.SIZE + 5) / 6) {
			return Optional.empty();
		}
		byte[] bytes;
		try {
			bytes = Base64.getUrlDecoder().decode(text);
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
		// The last character has bits to spare: with others it is not what we wrote.
		if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text)) {
			return Optional.empty();
		}
		byte[] what = Arrays.copyOf(bytes, ids * ID);
		byte[] stamp = Arrays.copyOfRange(bytes, ids * ID, length);
		return this.stamp.fits(purpose, what, stamp) ? Optional.of(ids(what)) : Optional.empty();
	}

	private static List<UUID> ids(byte[] what) {
		ByteBuffer bytes = ByteBuffer.wrap(what);
		List<UUID> ids = new ArrayList<>();
		while (bytes.hasRemaining()) {
			ids.add(new UUID(bytes.getLong(), bytes.getLong()));
		}
		return ids;
	}

}
