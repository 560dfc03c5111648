package dev.mailroom.trackingdomain;

import org.jspecify.annotations.Nullable;

/** Result of the check of a tracking domain. */
public sealed interface TrackingFinding {

	/** The sentence for the owner; null if all is well. */
	@Nullable String error();

	/** DNS and HTTPS lead here. */
	record Reached() implements TrackingFinding {

		@Override
		public @Nullable String error() {
			return null;
		}

	}

	/** DNS leads here and HTTPS does not. */
	record Unreached(String error) implements TrackingFinding {
	}

	/** DNS leads elsewhere or nowhere. */
	record Elsewhere(String error) implements TrackingFinding {
	}

	/** The name servers did not answer, which changes nothing. */
	record Unknown(String error) implements TrackingFinding {
	}

}
