package dev.mailroom.api.apikey;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** The body of POST /api-keys. */
record CreateKey(@Nullable String domainId, @Nullable String keyName, @Nullable List<@Nullable String> permissions) {
}
