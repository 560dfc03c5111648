package dev.mailroom.domain;

import java.security.PrivateKey;

/**
 * A key that signs a domain's mail (RFC 6376, RFC 8463).
 *
 * @param algorithm rsa-sha256 or ed25519-sha256
 */
public record SigningKey(String domain, String selector, String algorithm, PrivateKey key) {
}
