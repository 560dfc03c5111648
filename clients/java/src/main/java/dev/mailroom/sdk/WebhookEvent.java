package dev.mailroom.sdk;

import java.time.Instant;

/**
 * A verified call of a webhook endpoint.
 */
public sealed interface WebhookEvent
		permits EmailScheduledEvent, EmailSentEvent, EmailDeliveredEvent, EmailDeliveryDelayedEvent, EmailBouncedEvent,
		EmailComplainedEvent, EmailOpenedEvent, EmailClickedEvent, EmailFailedEvent, EmailCancelledEvent,
		EmailSuppressedEvent, EmailReceivedEvent, EmailForwardedEvent, EmailForwardFailedEvent, ContactCreatedEvent,
		ContactUpdatedEvent, ContactDeletedEvent, ContactUnsubscribedEvent, DomainVerifiedEvent, DomainFailedEvent,
		TrackingDomainFailedEvent, CampaignStartedEvent, CampaignPausedEvent, CampaignResumedEvent, CampaignSentEvent,
		QuotaWarningEvent, QuotaReachedEvent, WebhookTestEvent, UnknownEvent {

	/** The id of the event, the same in all attempts. */
	String id();

	/** The version of the API that the event has. */
	String apiVersion();

	/** The time of the event. */
	Instant createdAt();

}
