package dev.mailroom.sdk;

import java.time.Instant;

/** Reads events. */
final class WebhookEvents {

	private WebhookEvents() {
	}

	static WebhookEvent of(JsonObject json) {
		String id = json.text("id");
		String version = json.text("api_version");
		Instant createdAt = json.time("created_at");
		JsonObject data = json.object("data");
		return switch (json.text("type")) {
			case "email.scheduled" -> new EmailScheduledEvent(id, version, createdAt, EmailScheduledData.of(data));
			case "email.sent" -> new EmailSentEvent(id, version, createdAt, EmailDeliveryData.of(data));
			case "email.delivered" -> new EmailDeliveredEvent(id, version, createdAt, EmailDeliveryData.of(data));
			case "email.delivery_delayed" ->
				new EmailDeliveryDelayedEvent(id, version, createdAt, EmailDeliveryData.of(data));
			case "email.bounced" -> new EmailBouncedEvent(id, version, createdAt, EmailBouncedData.of(data));
			case "email.complained" -> new EmailComplainedEvent(id, version, createdAt, EmailComplainedData.of(data));
			case "email.opened" -> new EmailOpenedEvent(id, version, createdAt, EmailOpenedData.of(data));
			case "email.clicked" -> new EmailClickedEvent(id, version, createdAt, EmailClickedData.of(data));
			case "email.failed" -> new EmailFailedEvent(id, version, createdAt, EmailFailedData.of(data));
			case "email.cancelled" -> new EmailCancelledEvent(id, version, createdAt, EmailCancelledData.of(data));
			case "email.suppressed" -> new EmailSuppressedEvent(id, version, createdAt, EmailDeliveryData.of(data));
			case "email.received" -> new EmailReceivedEvent(id, version, createdAt, EmailReceivedData.of(data));
			case "email.forwarded" -> new EmailForwardedEvent(id, version, createdAt, EmailForwardedData.of(data));
			case "email.forward_failed" ->
				new EmailForwardFailedEvent(id, version, createdAt, EmailForwardFailedData.of(data));
			case "contact.created" -> new ContactCreatedEvent(id, version, createdAt, ContactEventData.of(data));
			case "contact.updated" -> new ContactUpdatedEvent(id, version, createdAt, ContactEventData.of(data));
			case "contact.deleted" -> new ContactDeletedEvent(id, version, createdAt, ContactEventData.of(data));
			case "contact.unsubscribed" ->
				new ContactUnsubscribedEvent(id, version, createdAt, ContactEventData.of(data));
			case "domain.verified" -> new DomainVerifiedEvent(id, version, createdAt, DomainEventData.of(data));
			case "domain.failed" -> new DomainFailedEvent(id, version, createdAt, DomainEventData.of(data));
			case "tracking_domain.failed" ->
				new TrackingDomainFailedEvent(id, version, createdAt, TrackingDomainEventData.of(data));
			case "campaign.started" -> new CampaignStartedEvent(id, version, createdAt, CampaignEventData.of(data));
			case "campaign.paused" -> new CampaignPausedEvent(id, version, createdAt, CampaignEventData.of(data));
			case "campaign.resumed" -> new CampaignResumedEvent(id, version, createdAt, CampaignEventData.of(data));
			case "campaign.sent" -> new CampaignSentEvent(id, version, createdAt, CampaignEventData.of(data));
			case "quota.warning" -> new QuotaWarningEvent(id, version, createdAt, QuotaEventData.of(data));
			case "quota.reached" -> new QuotaReachedEvent(id, version, createdAt, QuotaEventData.of(data));
			case "webhook.test" -> new WebhookTestEvent(id, version, createdAt, WebhookTestData.of(data));
			default -> new UnknownEvent(id, version, createdAt, json.text("type"), json.fields());
		};
	}

}
