package dev.mailroom.accept;

import dev.mailroom.Refused;
import org.jspecify.annotations.Nullable;

/** One mail of a request, looked at: fit to be sent, or not and why. */
public sealed interface CheckedMail {

	/**
	 * Valid as far as it can be told without the database.
	 *
	 * @param stowed which of its parts lie in the bucket; null where none do
	 */
	record Fit(Draft draft, @Nullable UploadedContent stowed) implements CheckedMail {

		public Fit(Draft draft) {
			this(draft, null);
		}

	}

	/** Turned away already; in a batch the others go on without it. */
	record Unfit(Refused refused) implements CheckedMail {
	}

}
