package dev.mailroom.tracking;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.secret.Stamp;

import org.springframework.stereotype.Component;

/**
 * Encodes tokens in links and verifies them, protected by a MAC. Equal tokens have the
 * same text: a mail is the same at every attempt.
 */
@Component
public class Tokens {

	private static final int ID_BYTES = 2 * Long.BYTES;

	/** Length of the MAC: 96 bits cannot be guessed. */
	private static final int STAMP_BYTES = 12;

	private final Stamp stamp;

	Tokens(Stamp stamp) {
		this.stamp = stamp;
	}

	String text(TrackingToken token) {
		ByteBuffer bytes = ByteBuffer.allocate(token.ids().size() * ID_BYTES + STAMP_BYTES);
		token.ids().forEach((id) -> bytes.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits()));
		byte[] content = Arrays.copyOf(bytes.array(), bytes.position());
		return Base64.getUrlEncoder()
			.withoutPadding()
			.encodeToString(bytes.put(this.stamp.stamp(token.purpose(), content, STAMP_BYTES)).array());
	}

	/** Parses the token of an open; empty if it is not authentic. */
	public Optional<TrackingToken.Open> open(String text) {
		return read(text, TrackingToken.Open.PURPOSE, 2).map((ids) -> new TrackingToken.Open(ids.get(0), ids.get(1)));
	}

	/** Parses the token of a click; empty if it is not authentic. */
	public Optional<TrackingToken.Click> click(String text) {
		return read(text, TrackingToken.Click.PURPOSE, 3)
			.map((ids) -> new TrackingToken.Click(ids.get(0), ids.get(1), ids.get(2)));
	}

	/** Parses the token of an unsubscribe link; empty if it is not authentic. */
	public Optional<TrackingToken.Unsubscribe> unsubscribe(String text) {
		return read(text, TrackingToken.Unsubscribe.PURPOSE, 3)
			.map((ids) -> new TrackingToken.Unsubscribe(ids.get(0), ids.get(1), ids.get(2)))
			.or(() -> read(text, TrackingToken.Unsubscribe.PURPOSE, 2)
				.map((ids) -> new TrackingToken.Unsubscribe(ids.get(0), ids.get(1))));
	}

	/** Parses the token of a confirmation link; empty if it is not authentic. */
	public Optional<TrackingToken.Confirmation> confirmation(String text) {
		return read(text, TrackingToken.Confirmation.PURPOSE, 3)
			.map((ids) -> new TrackingToken.Confirmation(ids.get(0), ids.get(1), ids.get(2)));
	}

	/** Parses the token of a logo; empty if it is not authentic. */
	public Optional<TrackingToken.Logo> logo(String text) {
		return read(text, TrackingToken.Logo.PURPOSE, 2).map((ids) -> new TrackingToken.Logo(ids.get(0), ids.get(1)));
	}

	/** Parses the token of an image; empty if it is not authentic. */
	public Optional<TrackingToken.ImageLink> image(String text) {
		return read(text, TrackingToken.ImageLink.PURPOSE, 2)
			.map((ids) -> new TrackingToken.ImageLink(ids.get(0), ids.get(1)));
	}

	/** The account that a token names, which is not verified; empty if it names none. */
	public Optional<UUID> account(String text) {
		try {
			byte[] bytes = Base64.getUrlDecoder().decode(text);
			return (bytes.length > ID_BYTES) ? Optional.of(ids(Arrays.copyOf(bytes, ID_BYTES)).getFirst())
					: Optional.empty();
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

	/**
	 * Parses the token of the source of a received mail; empty if it is not authentic.
	 */
	public Optional<TrackingToken.Received> received(String text) {
		return read(text, TrackingToken.Received.PURPOSE, 2)
			.map((ids) -> new TrackingToken.Received(ids.get(0), ids.get(1)));
	}

	/** Parses the token of a link that confirms a forward target; empty if forged. */
	public Optional<TrackingToken.ForwardConfirmation> forwardConfirmation(String text) {
		return read(text, TrackingToken.ForwardConfirmation.PURPOSE, 3)
			.map((ids) -> new TrackingToken.ForwardConfirmation(ids.get(0), ids.get(1), ids.get(2)));
	}

	private Optional<List<UUID>> read(String text, String purpose, int ids) {
		int length = ids * ID_BYTES + STAMP_BYTES;
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
		// The last character has unused bits, which must be zero.
		if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(text)) {
			return Optional.empty();
		}
		byte[] content = Arrays.copyOf(bytes, ids * ID_BYTES);
		byte[] stamp = Arrays.copyOfRange(bytes, ids * ID_BYTES, length);
		return this.stamp.fits(purpose, content, stamp) ? Optional.of(ids(content)) : Optional.empty();
	}

	private static List<UUID> ids(byte[] content) {
		ByteBuffer bytes = ByteBuffer.wrap(content);
		List<UUID> ids = new ArrayList<>();
		while (bytes.hasRemaining()) {
			ids.add(new UUID(bytes.getLong(), bytes.getLong()));
		}
		return ids;
	}

}
