package dev.mailroom.trackingdomain;

import java.time.Instant;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * An order of a certificate.
 *
 * @param name the tracking domain
 * @param result running, issued or failed
 * @param error why it failed; null otherwise
 */
public record CertificateOrder(UUID accountId, String name, String result, @Nullable String error, Instant beganAt) {
}
