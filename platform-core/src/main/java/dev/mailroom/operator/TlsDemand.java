package dev.mailroom.operator;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A policy about TLS of a recipients' domain that applies now.
 *
 * @param policy dane or mta_sts
 * @param mode mode of the policy; null for dane
 * @param result result of the last session, by the names of
 * {@code mailroom_tls_policy_total}; null before the first one
 * @param until when it ends unless it is renewed
 */
public record TlsDemand(String domain, String policy, @Nullable String mode, @Nullable String result, Instant until) {
}
