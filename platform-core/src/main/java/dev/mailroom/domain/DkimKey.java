package dev.mailroom.domain;

import java.util.UUID;

/**
 * A domain's DKIM key as it is stored.
 *
 * @param domain the domain's name
 * @param publicKey as the record's {@code p=} has it
 * @param sealedPrivateKey PKCS #8, sealed for this row
 * @param active whether it signs: the newer ones wait until DNS has them
 */
record DkimKey(UUID id, UUID accountId, UUID domainId, String domain, String selector, String algorithm,
		String publicKey, byte[] sealedPrivateKey, boolean active) {

	/** What the private key is bound to. */
	String place() {
		return place(this.id, this.accountId);
	}

	static String place(UUID id, UUID account) {
		return "dkim_key/" + id + "/" + account;
	}

	/** What the TXT record must say (RFC 6376 3.6.1). */
	String record() {
		return "v=DKIM1; k=" + (this.algorithm.startsWith("rsa") ? "rsa" : "ed25519") + "; p=" + this.publicKey;
	}

	String host() {
		return this.selector + "._domainkey." + this.domain;
	}

}
