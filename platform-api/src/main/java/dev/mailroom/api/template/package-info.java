/** The account's templates: kept, filled in and tried out. */
@ApplicationModule(allowedDependencies = { "email", "http", "idempotency" })
@NullMarked
package dev.mailroom.api.template;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
