package dev.mailroom.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

import dev.mailroom.sdk.MailroomException;

import org.springframework.mail.MailAuthenticationException;
import org.springframework.mail.MailParseException;
import org.springframework.mail.MailSendException;

/** The failures of sending several messages, as Spring's exceptions. */
final class SendFailures {

	private SendFailures() {
	}

	/**
	 * Sends messages, each independently of the others.
	 * @throws MailAuthenticationException if the key is not valid
	 * @throws MailParseException if the only message cannot be sent as it is
	 * @throws MailSendException with all messages that were not sent
	 */
	static <M> void collect(M[] messages, Consumer<M> send) {
		Map<Object, Exception> failed = new LinkedHashMap<>();
		for (M message : messages) {
			try {
				send.accept(message);
			}
			catch (MailroomException.Unauthenticated ex) {
				throw new MailAuthenticationException(String.valueOf(ex.getMessage()), ex);
			}
			catch (MailroomException.InvalidRequest ex) {
				failed.put(message, new MailParseException(String.valueOf(ex.getMessage()), ex));
			}
			catch (MailroomException | MailParseException ex) {
				failed.put(message, ex);
			}
		}
		if (messages.length == 1 && failed.get(messages[0]) instanceof MailParseException unsendable) {
			throw unsendable;
		}
		if (!failed.isEmpty()) {
			throw new MailSendException(failed);
		}
	}

}
