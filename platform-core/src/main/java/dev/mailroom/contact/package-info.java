/** Whom an account writes to: contact books, and the contacts in them. */
@ApplicationModule(allowedDependencies = "event")
@NullMarked
@Core.Tables({ "contact", "contact_book" })
package dev.mailroom.contact;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
