package dev.mailroom.http;

import dev.mailroom.Allowed;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Memory of one instance for bodies.
 *
 * @param inFlightBytes the maximum total size of request bodies in memory, and that of
 * responses being written, in bytes
 */
@ConfigurationProperties("mailroom")
record MemorySettings(@DefaultValue("67108864") @Allowed(from = "4194304", to = "1000000000000") long inFlightBytes) {
}
