package dev.mailroom.worker.smtp.server;

import java.util.List;

import dev.mailroom.inbound.ArrivedMail;
import dev.mailroom.inbound.InboundEmail;
import org.jspecify.annotations.Nullable;

/**
 * Content of a received mail, as far as it could be parsed.
 *
 * @param authors domains of all addresses in all From fields
 * @param messageId the Message-ID; null if missing
 */
record ParsedMessage(ArrivedMail.Heading heading, List<String> authors, @Nullable String messageId,
		InboundEmail.Text text, List<InboundEmail.Content> files) {
}
