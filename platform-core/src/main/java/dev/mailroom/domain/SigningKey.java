package dev.mailroom.domain;

import java.security.PrivateKey;

/**
 * A private key that signs a domain's mail (RFC 6376, RFC 8463).
 *
 * @param algorithm {@code rsa-sha256} or {@code ed25519-sha256}
 */
public record SigningKey(String domain, String selector, String algorithm, PrivateKey key) {
}
