/** Contact books and the contacts in them: one by one, in bulk, and as CSV. */
@ApplicationModule(allowedDependencies = { "http", "idempotency" })
@NullMarked
package dev.mailroom.api.contact;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
