package dev.mailroom.admin.graphql;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.mailroom.account.Right;

/**
 * The right that each mutation requires. Mutations of operators are not listed, because
 * the role of an operator permits them; any other one requires an owner.
 */
final class FieldRights {

	private static final Map<String, Right> BY_FIELD = new HashMap<>();

	static {
		Map<Right, List<String>> fields = new EnumMap<>(Right.class);
		fields.put(Right.OWN_SIGN_IN, List.of("updateAccount", "endSession", "beginSecondFactor", "confirmSecondFactor",
				"removeSecondFactor", "chooseNotices"));
		fields.put(Right.SEND, List.of("sendEmail", "sendEmails", "cancelEmail", "rescheduleEmail"));
		fields.put(Right.DOMAINS,
				List.of("createDomain", "updateDomain", "verifyDomain", "rotateDkim", "startDomainWarmup",
						"stopDomainWarmup", "deleteDomain", "createTrackingDomain", "verifyTrackingDomain",
						"deleteTrackingDomain", "chooseHostedPolicy", "removeHostedPolicy", "createForwardTarget",
						"resendForwardTarget", "deleteForwardTarget", "createInboundRoute", "updateInboundRoute",
						"orderInboundRoutes", "deleteInboundRoute"));
		fields.put(Right.API_KEYS, List.of("createApiKey", "updateApiKey", "rotateApiKey", "revokeApiKey",
				"approveDeviceSignIn", "denyDeviceSignIn"));
		fields.put(Right.TEMPLATES, List.of("createTemplate", "updateTemplate", "deleteTemplate", "sendTemplateTest",
				"saveTemplateDraft", "publishTemplate", "discardTemplateDraft", "uploadImage", "deleteImage"));
		fields.put(Right.WEBHOOKS, List.of("createWebhookEndpoint", "updateWebhookEndpoint", "rotateWebhookSecret",
				"deleteWebhookEndpoint", "testWebhookEndpoint", "redeliverWebhookCall", "recoverWebhookCalls"));
		fields.put(Right.CONTACTS,
				List.of("createContactBook", "renameContactBook", "updateContactBook", "deleteContactBook",
						"createContact", "saveContacts", "updateContact", "repeatContactConfirmation", "deleteContact",
						"deleteContacts", "deleteMatchingContacts", "changeContacts"));
		fields.put(Right.CAMPAIGNS,
				List.of("createCampaign", "updateCampaign", "deleteCampaign", "scheduleCampaign", "unscheduleCampaign",
						"startCampaign", "pauseCampaign", "resumeCampaign", "sendCampaignTest", "saveSegment",
						"deleteSegment"));
		fields.put(Right.SUPPRESSIONS, List.of("addSuppression", "addSuppressions", "removeSuppression"));
		fields.put(Right.SETTINGS, List.of("setTimeZone"));
		fields.put(Right.BRAND, List.of("updateBrand"));
		fields.put(Right.MEMBERS, List.of("inviteMember", "withdrawInvitation", "changeMemberRole", "removeMember"));
		fields.forEach((right, names) -> names.forEach((name) -> BY_FIELD.put(name, right)));
	}

	private FieldRights() {
	}

	/** The right that a mutation requires. */
	static Right of(String mutation) {
		return BY_FIELD.getOrDefault(mutation, Right.ACCOUNT);
	}

}
