package dev.mailroom.image;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * Bytes of an image. SVG is none: it can hold scripts, and mail clients do not show it.
 *
 * @param type its media type, by its first bytes
 */
public record Picture(String type, byte[] content) {

	/** Finds the type of an image; empty if it is not PNG, JPEG, GIF or WebP. */
	public static Optional<Picture> of(byte[] content) {
		if (begins(content, 0, "\u0089PNG\r\n\u001a\n")) {
			return Optional.of(new Picture("image/png", content));
		}
		if (begins(content, 0, "\u00ff\u00d8\u00ff")) {
			return Optional.of(new Picture("image/jpeg", content));
		}
		if (begins(content, 0, "GIF87a") || begins(content, 0, "GIF89a")) {
			return Optional.of(new Picture("image/gif", content));
		}
		return (begins(content, 0, "RIFF") && begins(content, 8, "WEBP"))
				? Optional.of(new Picture("image/webp", content)) : Optional.empty();
	}

	/** Decodes an image; empty if it is not in Base64, or none of the types. */
	public static Optional<Picture> ofBase64(String base64) {
		try {
			return of(Base64.getDecoder().decode(base64));
		}
		catch (IllegalArgumentException _) {
			return Optional.empty();
		}
	}

	/** Whether a text is too long to be the Base64 of so many bytes. */
	public static boolean isLonger(String base64, int bytes) {
		return base64.length() > (bytes + 2) / 3 * 4;
	}

	private static boolean begins(byte[] content, int from, String bytes) {
		byte[] expected = bytes.getBytes(StandardCharsets.ISO_8859_1);
		return content.length >= from + expected.length
				&& Arrays.equals(content, from, from + expected.length, expected, 0, expected.length);
	}

}
