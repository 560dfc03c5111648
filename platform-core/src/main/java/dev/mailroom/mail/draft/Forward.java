package dev.mailroom.mail.draft;

import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Marks a mail as a received one that is forwarded. Its only attachment is the message,
 * which is sent as it is, below the fields that forwarding adds.
 *
 * @param receivedId the received mail
 * @param nullSender whether its envelope has no sender: it is a notification (RFC 5321
 * section 4.5.5), and nobody is told that it could not be delivered
 * @param rewritten whether From was replaced by an address of the account, whose domain
 * signs the message
 * @param arc the result of the chain of the message, which its seal states (RFC 8617
 * section 4.4): none, pass or fail; null if the message is not sealed
 */
public record Forward(@JsonProperty("received_id") UUID receivedId, @JsonProperty("null_sender") boolean nullSender,
		boolean rewritten, @Nullable String arc) {
}
