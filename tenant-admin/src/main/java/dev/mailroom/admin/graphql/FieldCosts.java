package dev.mailroom.admin.graphql;

import java.util.Map;
import java.util.Set;

/**
 * Costs of the fields that return more than a small object. Fields are named by their
 * type and name.
 */
final class FieldCosts {

	/** Arguments that contain the size of a list. */
	static final Set<String> SIZES = Set.of("first", "last", "days");

	/** Most days of a list with the arguments from and to. */
	static final int MAX_DAYS = 90;

	/** Assumed size of a list without such an argument. */
	private static final int LIST_SIZE = 10;

	/** Cost of a body that a response contains up to {@link ShownText#MAX_LENGTH}. */
	private static final int BODY = 100;

	/** Cost of the content of a template or a campaign, 256 Ki characters at most. */
	private static final int CONTENT = 25;

	/** Cost of a search that may read many rows. */
	private static final int SEARCH = 150;

	/** Sizes that other lists can have; lines of a conversation are short. */
	private static final Map<String, Integer> LISTS = Map.ofEntries(Map.entry("Viewer.sessions", 100),
			Map.entry("Viewer.members", 500), Map.entry("Viewer.invitations", 400),
			Map.entry("Viewer.webhookEventTypes", 50), Map.entry("Email.deliveries", 50),
			Map.entry("Email.webhookCalls", 100), Map.entry("Domain.dkimKeys", 4), Map.entry("Email.attempts", 100),
			Map.entry("Email.events", 100), Map.entry("DeliveryAttempt.conversation", 5),
			Map.entry("RecentFigures.hours", 48), Map.entry("Campaign.series", 500), Map.entry("Campaign.links", 300),
			Map.entry("ContactCheck.refused", 100), Map.entry("ContactHistory.emails", 20),
			Map.entry("ContactHistory.events", 100), Map.entry("ContactHistory.books", 20),
			Map.entry("InboundMail.files", 100), Map.entry("InboundMail.headers", 300),
			Map.entry("TemplateDraft.problems", 100), Map.entry("Template.findings", 40),
			Map.entry("Template.versions", 51), Map.entry("TemplateDraft.findings", 40),
			Map.entry("Campaign.findings", 40), Map.entry("Operator.deadLetters", 100),
			Map.entry("Operator.destinations", 100), Map.entry("Destination.deferrals", 5),
			Map.entry("Operator.failingEndpoints", 100), Map.entry("Operator.workers", 100),
			Map.entry("PlatformStatus.workers", 100), Map.entry("Operator.plans", 50),
			Map.entry("Platform.pausedStreams", 2), Map.entry("Operator.healthChecks", 30),
			Map.entry("Operator.accountDomains", 100), Map.entry("DomainDmarc.days", MAX_DAYS),
			Map.entry("DomainDmarc.sources", 50), Map.entry("DomainDmarc.failing", 50),
			Map.entry("Viewer.trackingDomains", 10), Map.entry("Viewer.segments", 100),
			Map.entry("Viewer.providers", 20), Map.entry("ProviderFigures.days", 30),
			Map.entry("Operator.unreadReports", 20), Map.entry("Operator.certificateOrders", 100),
			Map.entry("Operator.sentTlsReports", 100), Map.entry("Operator.forwards", 100),
			Map.entry("Operator.tlsPolicies", 200), Map.entry("HostedPolicy.records", 2),
			Map.entry("ManagedAccount.notes", 100));

	/** Costs of contents, for each of them; reading one costs as much as showing it. */
	private static final Map<String, Integer> CONTENTS = Map.ofEntries(Map.entry("Viewer.emailContent", BODY),
			Map.entry("Brand.logo", BODY), Map.entry("EmailContent.html", BODY), Map.entry("EmailContent.text", BODY),
			Map.entry("EmailContent.headers", CONTENT), Map.entry("Viewer.inboundEmail", BODY),
			Map.entry("InboundMail.html", BODY), Map.entry("InboundMail.text", BODY), Map.entry("Viewer.templates", 5),
			Map.entry("Template.htmlContent", CONTENT), Map.entry("Template.textContent", CONTENT),
			Map.entry("Template.rendered", BODY), Map.entry("Viewer.templateDraft", BODY),
			Map.entry("RenderedContent.html", 2 * BODY), Map.entry("RenderedContent.text", 2 * BODY),
			Map.entry("TemplateContent.htmlContent", CONTENT), Map.entry("TemplateContent.textContent", CONTENT),
			Map.entry("TemplateContent.blocks", CONTENT), Map.entry("Template.blocks", CONTENT),
			Map.entry("Campaign.blocks", CONTENT), Map.entry("Campaign.htmlContent", CONTENT),
			Map.entry("Campaign.textContent", CONTENT), Map.entry("Viewer.recentFigures", SEARCH),
			Map.entry("Viewer.contactCount", SEARCH), Map.entry("Viewer.contactHistory", SEARCH));

	/** Arguments with which these fields search. */
	static final Set<String> SEARCH_ARGUMENTS = Set.of("search", "states", "campaignId", "stream", "tag", "from",
			"until");

	/** Searches through the text of many rows. */
	private static final Set<String> SEARCHES = Set.of("Viewer.emails", "Operator.emails", "Viewer.contacts",
			"Viewer.suppressions");

	/** Mutations that send a mail. */
	private static final Set<String> SENDS = Set.of("Mutation.sendEmail", "Mutation.sendEmails",
			"Mutation.sendTemplateTest", "Mutation.sendCampaignTest");

	private FieldCosts() {
	}

	static int listSize(String field) {
		return LISTS.getOrDefault(field, LIST_SIZE);
	}

	static int content(String field) {
		return CONTENTS.getOrDefault(field, 0);
	}

	static int search(String field) {
		return SEARCHES.contains(field) ? SEARCH : 0;
	}

	static boolean isSend(String field) {
		return SENDS.contains(field);
	}

}
