/**
 * Composition of messages: personal content, MIME, and DKIM signatures of the sending
 * domain. Read {@code Composer} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.compose;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
