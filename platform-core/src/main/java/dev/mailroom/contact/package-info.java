/** Contact books and the contacts in them. */
@ApplicationModule(allowedDependencies = { "account", "event" })
@NullMarked
@Core.Tables({ "contact", "contact_book" })
package dev.mailroom.contact;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
