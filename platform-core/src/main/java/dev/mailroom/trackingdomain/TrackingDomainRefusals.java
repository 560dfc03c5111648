package dev.mailroom.trackingdomain;

import java.util.UUID;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;

/** Refusals of tracking domains. */
final class TrackingDomainRefusals {

	static final Refusal NOT_FOUND = Refusal.notFound("Tracking domain not found");

	static final Refusal DUPLICATE = Refusal.conflict("Duplicate name");

	static final Refusal LIMIT = Refusal.forbidden("Tracking domain limit reached");

	static final Refusal POLICY = Refusal.conflict("Policy not possible");

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private TrackingDomainRefusals() {
	}

	static Refused missing(UUID id) {
		return NOT_FOUND.because("There is no tracking domain " + id);
	}

	static Refused duplicate(String name) {
		return DUPLICATE.because("There is a tracking domain " + name + " already");
	}

	static Refused limit() {
		return LIMIT.because("An account has at most " + TrackingDomains.MAX_COUNT + " tracking domains: delete one");
	}

	static Refused off() {
		return FORBIDDEN.because("The operator of this platform offers no tracking domains");
	}

	static Refused unverified() {
		return Refusal.INVALID_REQUEST.field("domain_id", "must be a verified domain of the account");
	}

	static Refused name(String message) {
		return Refusal.INVALID_REQUEST.field("name", message);
	}

}
