package dev.mailroom.domain;

import java.util.UUID;

import dev.mailroom.database.IdRange;

/**
 * A stored DKIM key of a domain.
 *
 * @param domain name of the domain
 * @param publicKey value of the {@code p=} tag
 * @param sealedPrivateKey private key in PKCS #8, sealed for this row
 * @param active whether it signs; a new key becomes active once DNS has its record
 */
record DkimKey(UUID id, UUID accountId, UUID domainId, String domain, String selector, String algorithm,
		String publicKey, byte[] sealedPrivateKey, boolean active) {

	/** The place that the private key is bound to. */
	String place() {
		return place(this.id, this.accountId);
	}

	static String place(UUID id, UUID account) {
		return "dkim_key/" + id + "/" + account;
	}

	/** Value of the TXT record (RFC 6376 3.6.1). */
	String record() {
		return "v=DKIM1; k=" + (this.algorithm.startsWith("rsa") ? "rsa" : "ed25519") + "; p=" + this.publicKey;
	}

	String host() {
		return this.selector + "._domainkey." + this.domain;
	}

	/** The key without its values; its id contains the time of its creation. */
	Domain.Selector described() {
		return new Domain.Selector(this.selector, this.algorithm, this.active, IdRange.time(this.id));
	}

}
