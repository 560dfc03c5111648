package dev.mailroom.sdk;

import org.jspecify.annotations.Nullable;

/**
 * A current api key.
 *
 * @param domain The domain of the key; null for a key of the whole account.
 */
public record CurrentApiKey(ApiKey apiKey, @Nullable KeyDomain domain, Account account) {

	static CurrentApiKey of(JsonObject json) {
		return new CurrentApiKey(ApiKey.of(json.object("apiKey")), json.read("domain", KeyDomain::of),
				Account.of(json.object("account")));
	}

	/**
	 * An entry of <code>account</code>.
	 *
	 * @param plan Name of the plan.
	 */
	public record Account(String id, String plan) {

		static Account of(JsonObject json) {
			return new Account(json.text("id"), json.text("plan"));
		}

	}

}
