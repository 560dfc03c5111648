package dev.mailroom.api.apikey;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** The body of PATCH /api-keys/:id. */
record UpdateKey(@Nullable String keyName, @Nullable List<@Nullable String> permissions) {
}
