package dev.mailroom.event;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Kinds of events. Endpoints subscribe to them by their contract's names, which are part
 * of the contract and never change.
 */
public enum EventKind {

	EMAIL_SCHEDULED("email.scheduled"),

	EMAIL_SENT("email.sent"),

	EMAIL_DELIVERED("email.delivered"),

	EMAIL_DELIVERY_DELAYED("email.delivery_delayed"),

	EMAIL_BOUNCED("email.bounced"),

	EMAIL_COMPLAINED("email.complained"),

	EMAIL_OPENED("email.opened"),

	EMAIL_CLICKED("email.clicked"),

	EMAIL_FAILED("email.failed"),

	EMAIL_CANCELLED("email.cancelled"),

	EMAIL_SUPPRESSED("email.suppressed"),

	EMAIL_RECEIVED("email.received"),

	EMAIL_FORWARDED("email.forwarded"),

	EMAIL_FORWARD_FAILED("email.forward_failed"),

	CONTACT_CREATED("contact.created"),

	CONTACT_UPDATED("contact.updated"),

	CONTACT_DELETED("contact.deleted"),

	CONTACT_UNSUBSCRIBED("contact.unsubscribed"),

	DOMAIN_VERIFIED("domain.verified"),

	DOMAIN_FAILED("domain.failed"),

	TRACKING_DOMAIN_FAILED("tracking_domain.failed"),

	CAMPAIGN_STARTED("campaign.started"),

	CAMPAIGN_PAUSED("campaign.paused"),

	CAMPAIGN_RESUMED("campaign.resumed"),

	CAMPAIGN_SENT("campaign.sent"),

	QUOTA_WARNING("quota.warning"),

	QUOTA_REACHED("quota.reached"),

	/** Sent to one endpoint on request, regardless of its subscriptions. */
	WEBHOOK_TEST("webhook.test");

	private static final Map<String, EventKind> BY_WIRE = Arrays.stream(values())
		.collect(Collectors.toUnmodifiableMap(EventKind::contractName, Function.identity()));

	private final String contractName;

	EventKind(String contractName) {
		this.contractName = contractName;
	}

	/** The kind with this contract's name; empty if there is none. */
	public static Optional<EventKind> of(String contractName) {
		return Optional.ofNullable(BY_WIRE.get(contractName));
	}

	/** The name in the database, in the API and in calls to endpoints. */
	public String contractName() {
		return this.contractName;
	}

}
