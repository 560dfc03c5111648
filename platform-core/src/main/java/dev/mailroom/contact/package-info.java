/** Whom an account writes to: contact books, and the contacts in them. */
@ApplicationModule(allowedDependencies = "event")
@NullMarked
package dev.mailroom.contact;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
