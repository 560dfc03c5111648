package dev.mailroom.image;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of images. */
final class ImageRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private static final Refusal EMAIL_NOT_VERIFIED = Refusal.forbidden("Email not verified");

	private ImageRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no image " + id);
	}

	static Refused emailNotVerified() {
		return EMAIL_NOT_VERIFIED.because("Verify your email address first: anyone can read an image");
	}

	static Refused full() {
		return Refusal.INVALID_REQUEST.field("content", "does not fit: an account may store " + Images.MAX_COUNT
				+ " images and " + (Images.MAX_TOTAL >> 20) + " MB. Delete some that no mail needs");
	}

}
