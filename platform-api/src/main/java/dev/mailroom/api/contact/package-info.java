/**
 * REST endpoints for contact books and contacts, including CSV import and export. Read
 * {@code ContactController} first.
 */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.contact;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
