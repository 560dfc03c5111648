package dev.mailroom.mail.accept;

import java.util.List;
import java.util.UUID;

import dev.mailroom.Refused;
import dev.mailroom.mail.draft.CheckedMail;
import org.jspecify.annotations.Nullable;

/** One mail of a request after the checks that need no database. */
public sealed interface MailCheck {

	/**
	 * A mail that passed the checks.
	 *
	 * @param uploaded the parts stored in the bucket already; null if there are none
	 */
	record Valid(CheckedMail mail, @Nullable Uploaded uploaded) implements MailCheck {

		public Valid(CheckedMail mail) {
			this(mail, null);
		}

	}

	/** A mail that is refused. In a batch the other mails are not affected. */
	record Invalid(Refused reason) implements MailCheck {
	}

	/**
	 * Parts of a mail that were stored in the bucket before the mail's rows.
	 *
	 * @param emailId the id under which they were stored, which the mail will have
	 * @param parts html, text or the position of an attachment
	 */
	record Uploaded(UUID emailId, List<String> parts) {
	}

}
