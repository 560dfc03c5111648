package dev.mailroom.trackingdomain;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The last check of the certificate with which this installation receives mail.
 *
 * @param host the host that MX records of tenants name
 * @param valid whether a trusted authority has issued it for the host, and it has not
 * expired
 * @param detail what was found, as a sentence
 * @param tlsa TLSA record of its key; empty if no server was reached
 * @param published whether DNS has this record; null if it has none, or did not answer
 */
public record InboundCertificate(String host, boolean valid, String detail, String tlsa, @Nullable Boolean published,
		Instant checkedAt) {
}
