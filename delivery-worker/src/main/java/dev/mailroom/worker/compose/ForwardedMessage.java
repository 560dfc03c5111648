package dev.mailroom.worker.compose;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.domain.SigningKey;
import dev.mailroom.mail.draft.Forward;
import dev.mailroom.mail.queue.StoredMail;
import org.jspecify.annotations.Nullable;

/**
 * Writes the message of a forwarded mail: the received one, if necessary from another
 * sender.
 */
final class ForwardedMessage {

	private ForwardedMessage() {
	}

	/** The message, the same for each attempt. */
	static byte[] of(StoredMail mail, Forward forward, List<SigningKey> keys) {
		if (mail.attachments().size() != 1) {
			throw new Composer.Unrenderable("The message to be forwarded is missing");
		}
		byte[] message = mail.attachments().getFirst().content();
		byte[] signed = forward.rewritten() ? Dkim.sign(rewritten(message, mail), keys) : message;
		@Nullable String chain = forward.arc();
		return (chain == null) ? signed
				: keys.stream()
					.filter((key) -> key.algorithm().startsWith("rsa"))
					.findFirst()
					.map((key) -> ArcChain.seal(signed, chain, key, mail.createdAt()))
					.orElse(signed);
	}

	/** The message from the address at which it arrived; replies go to its author. */
	private static byte[] rewritten(byte[] message, StoredMail mail) {
		int bodyStart = Dkim.RawMessage.bodyStart(message);
		StringBuilder head = new StringBuilder("From: ").append(Headers.address(mail.sender())).append("\r\n");
		String fields = new String(message, 0, bodyStart, StandardCharsets.ISO_8859_1);
		ByteArrayOutputStream out = new ByteArrayOutputStream(message.length + head.length());
		StringBuilder kept = new StringBuilder(fields.length());
		boolean answered = mail.replyTo().isEmpty();
		for (int from = 0; from < fields.length();) {
			int end = Math.min(Dkim.RawMessage.fieldEnd(fields, from) + 2, fields.length());
			if (isField(fields, from, "from")) {
				from = end;
				continue;
			}
			answered |= isField(fields, from, "reply-to");
			kept.append(fields, from, end);
			from = end;
		}
		if (!answered) {
			head.append("Reply-To: ").append(Headers.addresses(mail.replyTo())).append("\r\n");
		}
		out.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
		out.writeBytes(kept.toString().getBytes(StandardCharsets.ISO_8859_1));
		out.write(message, bodyStart, message.length - bodyStart);
		return out.toByteArray();
	}

	private static boolean isField(String fields, int at, String name) {
		int colon = fields.indexOf(':', at);
		return colon > at && fields.substring(at, colon).strip().equalsIgnoreCase(name);
	}

}
