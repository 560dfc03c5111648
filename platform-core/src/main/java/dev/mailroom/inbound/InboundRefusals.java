package dev.mailroom.inbound;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refusals of the inbound feature, one per error row of the contract. */
final class InboundRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Inbound email not found");

	static final Refusal UNAVAILABLE = Refusal.unavailable("Service unavailable");

	private static final Logger log = LoggerFactory.getLogger(InboundRefusals.class);

	private InboundRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no inbound email " + id);
	}

	static Refused unavailable(Throwable error) {
		log.warn("Reading received mail from the bucket failed: {}", error.toString());
		return UNAVAILABLE.because("The storage of received mail cannot be reached; try again shortly");
	}

	static Refused noAttachment(UUID id, int position) {
		return NOT_FOUND.because("There is no attachment " + position + " of an inbound email " + id);
	}

}
