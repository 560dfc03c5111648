package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * The DMARC policy of a domain in DNS.
 *
 * @param host The name of the record of the domain.
 * @param foundAt The domain whose record applies: this one or one above it (RFC 9989).
 * @param found The record that applies.
 * @param suggested The record to publish, with the address for reports beside those that
 * it has; null if the present one will do.
 * @param known False if the name servers did not answer.
 */
public record DmarcPolicy(String host, @Nullable String foundAt, @Nullable String found, @Nullable String action,
		@Nullable String suggested, boolean known) {

	static DmarcPolicy of(JsonObject json) {
		return new DmarcPolicy(json.text("host"), json.textOrNull("found_at"), json.textOrNull("found"),
				json.textOrNull("action"), json.textOrNull("suggested"), json.bool("known"));
	}

}
