package dev.mailroom.sdk;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The mail and the details of the event. If the mail has been deleted, only
 * <code>email_id</code>.
 *
 * @param recipient The recipient, if the event is about one of them.
 * @param bot For opens and clicks: whether it was automated, for example by the mail
 * proxy of Apple or a scanner. Automated ones are not counted. Of the loads by the image
 * proxies of Gmail and Yahoo the first one counts.
 * @param userAgent For opens and clicks: the User-Agent header.
 * @param fields all fields as sent
 */
public record EmailEventData(String emailId, @Nullable String from, List<String> to, @Nullable String subject,
		Map<String, @Nullable Object> tags, @Nullable String domainId, @Nullable String recipient,
		@Nullable Click click, @Nullable Boolean bot, @Nullable String userAgent, @Nullable Bounce bounce,
		@Nullable Failed failed, Map<String, @Nullable Object> fields) {

	static EmailEventData of(JsonObject json) {
		return new EmailEventData(json.text("email_id"), json.textOrNull("from"), json.texts("to"),
				json.textOrNull("subject"), json.map("tags"), json.textOrNull("domain_id"),
				json.textOrNull("recipient"), json.read("click", Click::of), json.boolOrNull("bot"),
				json.textOrNull("user_agent"), json.read("bounce", Bounce::of), json.read("failed", Failed::of),
				json.fields());
	}

	/**
	 * An entry of <code>click</code>.
	 *
	 * @param url The target of the link.
	 */
	public record Click(String url) {

		static Click of(JsonObject json) {
			return new Click(json.text("url"));
		}

	}

	/**
	 * An entry of <code>bounce</code>.
	 *
	 * @param type <code>hard</code>: the address is invalid and is suppressed.
	 * <code>soft</code>: the mailbox or this message was refused. <code>block</code>: the
	 * sender was refused.
	 * @param reason Statement of the reply. Further reasons may be added. Hard:
	 * <code>unknown_address</code>, <code>disabled_address</code>,
	 * <code>unknown_domain</code>, <code>refused_again</code>. Soft:
	 * <code>unexplained</code>, <code>mailbox_full</code>, <code>mail_too_large</code>,
	 * <code>content_refused</code>, <code>restricted_address</code>,
	 * <code>unsupported</code>, <code>relay_denied</code>, <code>unreachable</code>,
	 * <code>forwarded</code>, <code>other</code>, <code>login_required</code>,
	 * <code>greylisted</code>, <code>rate_limited</code>, <code>try_later</code>. Block:
	 * <code>block_list</code>, <code>blocked_server</code>, <code>reputation</code>,
	 * <code>reverse_dns</code>, <code>not_authentic</code>,
	 * <code>unwanted_content</code>, <code>policy</code>, <code>sender_refused</code>.
	 * @param code The enhanced status code (RFC 3463), otherwise the three-digit reply
	 * code.
	 * @param diagnostic The SMTP reply.
	 */
	public record Bounce(String type, String reason, String code, String diagnostic) {

		static Bounce of(JsonObject json) {
			return new Bounce(json.text("type"), json.text("reason"), json.text("code"), json.text("diagnostic"));
		}

	}

	/**
	 * An entry of <code>failed</code>.
	 *
	 * @param reason <code>expired</code> or a sentence.
	 * @param diagnostic The last SMTP reply.
	 */
	public record Failed(String reason, @Nullable String diagnostic) {

		static Failed of(JsonObject json) {
			return new Failed(json.text("reason"), json.textOrNull("diagnostic"));
		}

	}

}
