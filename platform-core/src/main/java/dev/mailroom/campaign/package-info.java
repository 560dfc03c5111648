/** One mail to everybody in a contact book: its content, and when it may run. */
@ApplicationModule(allowedDependencies = { "accept", "contact", "domain", "event", "submission", "template" })
@NullMarked
package dev.mailroom.campaign;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
