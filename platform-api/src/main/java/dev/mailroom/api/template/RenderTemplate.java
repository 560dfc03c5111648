package dev.mailroom.api.template;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/** The body of POST /templates/:id/render. */
record RenderTemplate(@Nullable Map<String, @Nullable Object> variables) {
}
