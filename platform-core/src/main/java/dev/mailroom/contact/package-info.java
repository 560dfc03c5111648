/** Contact books and the contacts in them. Read {@code Contacts} first. */
@ApplicationModule(allowedDependencies = { "account", "database", "event" })
@NullMarked
@Core.Tables(writes = { "confirmation", "contact", "contact_book", "former_contact" })
package dev.mailroom.contact;

import dev.mailroom.Core;
import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
