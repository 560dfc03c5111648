package dev.mailroom.inbound;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Every way an inbound mail can be refused, row for row with the contract. */
final class InboundRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Inbound email not found");

	private InboundRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no inbound email " + id);
	}

	static Refused noAttachment(UUID id, int position) {
		return NOT_FOUND.because("There is no attachment " + position + " of an inbound email " + id);
	}

}
