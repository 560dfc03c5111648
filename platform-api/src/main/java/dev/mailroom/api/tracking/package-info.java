/**
 * Targets of the links in mails: public, without credentials or cookies. Read
 * {@code TrackingController} first.
 */
@ApplicationModule(allowedDependencies = { "http" })
@NullMarked
package dev.mailroom.api.tracking;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
