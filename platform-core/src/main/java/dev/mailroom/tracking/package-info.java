/**
 * What mails bring back: links that are signed and lead to stored targets, opens and
 * clicks, and the way out of a contact book.
 */
@ApplicationModule(allowedDependencies = { "contact", "event", "seal" })
@NullMarked
package dev.mailroom.tracking;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
