package dev.mailroom.webhook;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of the webhook feature, one per error row of the contract. */
final class WebhookRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Webhook endpoint not found");

	static final Refusal LIMIT = Refusal.forbidden("Webhook endpoint limit reached");

	private static final Refusal EMAIL_NOT_VERIFIED = Refusal.forbidden("Email not verified");

	static final Refusal NO_DELIVERY = Refusal.notFound("Webhook delivery not found");

	private WebhookRefusals() {
	}

	/** A stranger may have registered the address of the account. */
	static Refused emailNotVerified() {
		return EMAIL_NOT_VERIFIED.because("Verify the account's e-mail address before you add a webhook endpoint: the "
				+ "link was mailed at registration, and POST /auth/verify-email/resend mails another");
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no webhook endpoint " + id);
	}

	static Refused noDelivery(UUID id) {
		return NO_DELIVERY.because("There is no webhook delivery " + id);
	}

	static Refused invalid(String field, String message) {
		return Refusal.INVALID_REQUEST.field(field, message);
	}

}
