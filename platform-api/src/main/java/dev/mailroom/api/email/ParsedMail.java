package dev.mailroom.api.email;

import java.time.Instant;
import java.util.UUID;

import dev.mailroom.Refused;
import dev.mailroom.accept.CheckedMail;
import dev.mailroom.submission.Drafting;
import dev.mailroom.template.Contents;
import org.jspecify.annotations.Nullable;

/** One mail of a request, as far as its body alone tells. */
sealed interface ParsedMail {

	/** Reads a body, and which template it names. */
	static ParsedMail of(SendEmail body) {
		try {
			return new Readable(body, body.template());
		}
		catch (Refused refused) {
			return new Unreadable(refused);
		}
	}

	/** Makes of it what can be sent, or says why it cannot. */
	CheckedMail candidate(Contents templates, Instant now);

	/** A mail whose parts have the right types. */
	record Readable(SendEmail body, @Nullable UUID template) implements ParsedMail {

		@Override
		public CheckedMail candidate(Contents templates, Instant now) {
			try {
				return new CheckedMail.Fit(Drafting.draft((this.template != null)
						? this.body.submission(templates.of(this.template)) : this.body.submission(), now));
			}
			catch (Refused refused) {
				return new CheckedMail.Unfit(refused);
			}
		}

	}

	/** Something else. */
	record Unreadable(Refused refused) implements ParsedMail {

		@Override
		public CheckedMail candidate(Contents templates, Instant now) {
			return new CheckedMail.Unfit(this.refused);
		}

	}

}
