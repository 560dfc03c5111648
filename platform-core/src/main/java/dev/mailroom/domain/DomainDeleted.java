package dev.mailroom.domain;

import java.util.UUID;

/**
 * A domain is gone, and all that belonged to it. Published once that has been committed.
 */
public record DomainDeleted(UUID domain) {
}
