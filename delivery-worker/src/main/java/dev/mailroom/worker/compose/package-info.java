/**
 * Composition of messages: personal content, MIME, DKIM signatures of the sending domain,
 * and seals of forwarded messages. Read {@code Composer} first.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.mailroom.worker.compose;

import org.jspecify.annotations.NullMarked;

import org.springframework.modulith.ApplicationModule;
