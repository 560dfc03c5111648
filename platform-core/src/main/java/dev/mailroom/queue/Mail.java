package dev.mailroom.queue;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What a mail says, the same for everybody who gets it.
 *
 * @param sender the From header: address, or Name &lt;address&gt;
 * @param headers further headers, in order
 * @param createdAt its Date, at every attempt: when it was meant to be sent
 * @param stream transactional or campaign
 */
public record Mail(String sender, List<String> to, List<String> cc, List<String> replyTo, String subject,
		@Nullable String html, @Nullable String text, Map<String, String> headers, List<Attachment> attachments,
		Instant createdAt, String stream) {
}
