package dev.mailroom.worker.inbound;

import java.util.List;

import dev.mailroom.inbound.InboundEmail;
import dev.mailroom.inbound.ReceivedMail;
import org.jspecify.annotations.Nullable;

/**
 * What could be read of a mail.
 *
 * @param authors the domains of all addresses in all From fields
 * @param messageId under which it names itself; null where it does not
 */
record ReadMail(ReceivedMail.Heading heading, List<String> authors, @Nullable String messageId, InboundEmail.Text text,
		List<InboundEmail.Content> files) {
}
