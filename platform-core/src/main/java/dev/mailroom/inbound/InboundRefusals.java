package dev.mailroom.inbound;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every way an inbound mail can be refused, row for row with the contract. */
final class InboundRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Inbound email not found");

	static final Refusal AWAY = Refusal.unavailable("Service unavailable");

	private static final Logger log = LoggerFactory.getLogger(InboundRefusals.class);

	private InboundRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no inbound email " + id);
	}

	static Refused away(Throwable error) {
		log.warn("What came in could not be read from the bucket: {}", error.toString());
		return AWAY.because("What came in could not be fetched from where it is stored; try again shortly");
	}

	static Refused noAttachment(UUID id, int position) {
		return NOT_FOUND.because("There is no attachment " + position + " of an inbound email " + id);
	}

}
