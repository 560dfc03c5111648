package dev.mailroom.api.domain;

import org.jspecify.annotations.Nullable;

/** The body of POST /domains. */
record CreateDomain(@Nullable String name) {
}
