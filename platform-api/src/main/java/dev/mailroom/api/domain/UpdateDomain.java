package dev.mailroom.api.domain;

import org.jspecify.annotations.Nullable;

/** The body of PATCH /domains/:id. */
record UpdateDomain(@Nullable Boolean openTracking, @Nullable Boolean clickTracking, @Nullable String transport,
		@Nullable Boolean requireTls) {
}
