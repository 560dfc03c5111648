package dev.mailroom.api.contact;

import org.jspecify.annotations.Nullable;

/** The body of POST /contact-books and of PATCH /contact-books/:id. */
record NameBook(@Nullable String name) {
}
