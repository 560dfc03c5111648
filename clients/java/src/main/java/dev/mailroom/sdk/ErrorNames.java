package dev.mailroom.sdk;

/**
 * The names of errors. The API may add others.
 */
public final class ErrorNames {

	/** {@code account_paused}. */
	public static final String ACCOUNT_PAUSED = "account_paused";

	/** {@code api_key_not_found}. */
	public static final String API_KEY_NOT_FOUND = "api_key_not_found";

	/** {@code campaign_not_found}. */
	public static final String CAMPAIGN_NOT_FOUND = "campaign_not_found";

	/** {@code can_only_delete_campaigns_that_are_not_running}. */
	public static final String CAN_ONLY_DELETE_CAMPAIGNS_THAT_ARE_NOT_RUNNING = "can_only_delete_campaigns_that_are_not_running";

	/** {@code can_only_edit_draft_or_scheduled_campaigns}. */
	public static final String CAN_ONLY_EDIT_DRAFT_OR_SCHEDULED_CAMPAIGNS = "can_only_edit_draft_or_scheduled_campaigns";

	/** {@code can_only_pause_running_campaigns}. */
	public static final String CAN_ONLY_PAUSE_RUNNING_CAMPAIGNS = "can_only_pause_running_campaigns";

	/** {@code can_only_rename_or_move_campaigns_that_have_started}. */
	public static final String CAN_ONLY_RENAME_OR_MOVE_CAMPAIGNS_THAT_HAVE_STARTED = "can_only_rename_or_move_campaigns_that_have_started";

	/** {@code can_only_resume_paused_campaigns}. */
	public static final String CAN_ONLY_RESUME_PAUSED_CAMPAIGNS = "can_only_resume_paused_campaigns";

	/** {@code can_only_schedule_draft_or_paused_campaigns}. */
	public static final String CAN_ONLY_SCHEDULE_DRAFT_OR_PAUSED_CAMPAIGNS = "can_only_schedule_draft_or_paused_campaigns";

	/** {@code can_only_start_draft_campaigns}. */
	public static final String CAN_ONLY_START_DRAFT_CAMPAIGNS = "can_only_start_draft_campaigns";

	/** {@code can_only_unschedule_scheduled_campaigns}. */
	public static final String CAN_ONLY_UNSCHEDULE_SCHEDULED_CAMPAIGNS = "can_only_unschedule_scheduled_campaigns";

	/** {@code contact_book_is_empty}. */
	public static final String CONTACT_BOOK_IS_EMPTY = "contact_book_is_empty";

	/** {@code contact_book_limit_reached}. */
	public static final String CONTACT_BOOK_LIMIT_REACHED = "contact_book_limit_reached";

	/** {@code contact_book_not_found}. */
	public static final String CONTACT_BOOK_NOT_FOUND = "contact_book_not_found";

	/** {@code contact_limit_reached}. */
	public static final String CONTACT_LIMIT_REACHED = "contact_limit_reached";

	/** {@code contact_not_found}. */
	public static final String CONTACT_NOT_FOUND = "contact_not_found";

	/** {@code daily_monthly_limit_reached}. */
	public static final String DAILY_MONTHLY_LIMIT_REACHED = "daily_monthly_limit_reached";

	/** {@code domain_limit_reached}. */
	public static final String DOMAIN_LIMIT_REACHED = "domain_limit_reached";

	/** {@code domain_not_found}. */
	public static final String DOMAIN_NOT_FOUND = "domain_not_found";

	/** {@code domain_not_verified}. */
	public static final String DOMAIN_NOT_VERIFIED = "domain_not_verified";

	/** {@code duplicate_contact}. */
	public static final String DUPLICATE_CONTACT = "duplicate_contact";

	/** {@code duplicate_forward_target}. */
	public static final String DUPLICATE_FORWARD_TARGET = "duplicate_forward_target";

	/** {@code duplicate_member}. */
	public static final String DUPLICATE_MEMBER = "duplicate_member";

	/** {@code duplicate_name}. */
	public static final String DUPLICATE_NAME = "duplicate_name";

	/** {@code email_already_processed}. */
	public static final String EMAIL_ALREADY_PROCESSED = "email_already_processed";

	/** {@code email_not_found}. */
	public static final String EMAIL_NOT_FOUND = "email_not_found";

	/** {@code email_not_verified}. */
	public static final String EMAIL_NOT_VERIFIED = "email_not_verified";

	/** {@code forbidden}. */
	public static final String FORBIDDEN = "forbidden";

	/** {@code forward_target_confirmed}. */
	public static final String FORWARD_TARGET_CONFIRMED = "forward_target_confirmed";

	/** {@code forward_target_limit_reached}. */
	public static final String FORWARD_TARGET_LIMIT_REACHED = "forward_target_limit_reached";

	/** {@code forward_target_not_found}. */
	public static final String FORWARD_TARGET_NOT_FOUND = "forward_target_not_found";

	/** {@code from_domain_mismatch}. */
	public static final String FROM_DOMAIN_MISMATCH = "from_domain_mismatch";

	/** {@code idempotency_key_reused}. */
	public static final String IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused";

	/** {@code inbound_email_not_found}. */
	public static final String INBOUND_EMAIL_NOT_FOUND = "inbound_email_not_found";

	/** {@code inbound_route_limit_reached}. */
	public static final String INBOUND_ROUTE_LIMIT_REACHED = "inbound_route_limit_reached";

	/** {@code inbound_route_not_found}. */
	public static final String INBOUND_ROUTE_NOT_FOUND = "inbound_route_not_found";

	/** {@code internal_error}. */
	public static final String INTERNAL_ERROR = "internal_error";

	/** {@code invalid_request_data}. */
	public static final String INVALID_REQUEST_DATA = "invalid_request_data";

	/** {@code invitation_not_found}. */
	public static final String INVITATION_NOT_FOUND = "invitation_not_found";

	/** {@code last_owner}. */
	public static final String LAST_OWNER = "last_owner";

	/** {@code member_not_found}. */
	public static final String MEMBER_NOT_FOUND = "member_not_found";

	/** {@code misdirected}. */
	public static final String MISDIRECTED = "misdirected";

	/** {@code not_found}. */
	public static final String NOT_FOUND = "not_found";

	/** {@code payload_too_large}. */
	public static final String PAYLOAD_TOO_LARGE = "payload_too_large";

	/** {@code policy_not_possible}. */
	public static final String POLICY_NOT_POSSIBLE = "policy_not_possible";

	/** {@code rate_limit_exceeded}. */
	public static final String RATE_LIMIT_EXCEEDED = "rate_limit_exceeded";

	/** {@code request_in_progress}. */
	public static final String REQUEST_IN_PROGRESS = "request_in_progress";

	/** {@code second_factor_active}. */
	public static final String SECOND_FACTOR_ACTIVE = "second_factor_active";

	/** {@code second_factor_not_found}. */
	public static final String SECOND_FACTOR_NOT_FOUND = "second_factor_not_found";

	/** {@code second_factor_required}. */
	public static final String SECOND_FACTOR_REQUIRED = "second_factor_required";

	/** {@code service_unavailable}. */
	public static final String SERVICE_UNAVAILABLE = "service_unavailable";

	/** {@code suppression_not_found}. */
	public static final String SUPPRESSION_NOT_FOUND = "suppression_not_found";

	/** {@code template_not_found}. */
	public static final String TEMPLATE_NOT_FOUND = "template_not_found";

	/** {@code tracking_domain_limit_reached}. */
	public static final String TRACKING_DOMAIN_LIMIT_REACHED = "tracking_domain_limit_reached";

	/** {@code tracking_domain_not_found}. */
	public static final String TRACKING_DOMAIN_NOT_FOUND = "tracking_domain_not_found";

	/** {@code unauthorized}. */
	public static final String UNAUTHORIZED = "unauthorized";

	/** {@code unsupported_media_type}. */
	public static final String UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type";

	/** {@code validation_error}. */
	public static final String VALIDATION_ERROR = "validation_error";

	/** {@code webhook_delivery_not_found}. */
	public static final String WEBHOOK_DELIVERY_NOT_FOUND = "webhook_delivery_not_found";

	/** {@code webhook_endpoint_limit_reached}. */
	public static final String WEBHOOK_ENDPOINT_LIMIT_REACHED = "webhook_endpoint_limit_reached";

	/** {@code webhook_endpoint_not_found}. */
	public static final String WEBHOOK_ENDPOINT_NOT_FOUND = "webhook_endpoint_not_found";

	private ErrorNames() {
	}

}
